const SIZE: u32 = 65536 * 65536;
