/** Hands bytes or text to the browser as a file. */
export function download(name: string, contents: string | Uint8Array): void {
  const part = typeof contents === "string" ? contents : (contents as Uint8Array<ArrayBuffer>);
  const address = URL.createObjectURL(new Blob([part]));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
