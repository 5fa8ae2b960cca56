/** Fewer points than a screen has columns: what is drawn of very many values. */

export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Values behind one point; 1: all are there. */
  readonly per: number;
}

/** Every bar is the mean of as many neighbours. */
export function means(values: Float64Array, most: number): Points {
  const per = Math.ceil(values.length / most) || 1;
  const count = Math.ceil(values.length / per);
  const y = Float64Array.from({ length: count }, (_, i) => {
    const part = values.subarray(i * per, (i + 1) * per);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
  return { x: Float64Array.from(y, (_, i) => i * per), y, per };
}

/** Of every stretch the least and the greatest value: no peak is lost. */
export function extremes(values: Float64Array, most: number): Points {
  const per = Math.ceil((2 * values.length) / most) || 1;
  if (per < 3) return { x: Float64Array.from(values, (_, i) => i), y: values, per: 1 };
  const count = Math.ceil(values.length / per);
  const x = new Float64Array(count * 2);
  const y = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    const end = Math.min(values.length, (i + 1) * per);
    let [low, high] = [i * per, i * per];
    for (let at = i * per; at < end; at++) {
      if (values[at] < values[low]) low = at;
      if (values[at] > values[high]) high = at;
    }
    const [first, second] = low < high ? [low, high] : [high, low];
    x.set([first, second], i * 2);
    y.set([values[first], values[second]], i * 2);
  }
  return { x, y, per };
}
