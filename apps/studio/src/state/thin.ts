/** Fewer points than a screen has columns: what is drawn of very many values. */

export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Values behind one point; 1: all are there. */
  readonly per: number;
}

/** Every bar is the mean of as many neighbours, as far as they are finite; NaN where none is. */
export function means(values: Float64Array, most: number): Points {
  const per = Math.ceil(values.length / most) || 1;
  const count = Math.ceil(values.length / per);
  const y = Float64Array.from({ length: count }, (_, i) => {
    let [sum, finite] = [0, 0];
    for (let at = i * per; at < Math.min(values.length, (i + 1) * per); at++) {
      if (!Number.isFinite(values[at])) continue;
      sum += values[at];
      finite++;
    }
    return finite === 0 ? Number.NaN : sum / finite;
  });
  return { x: Float64Array.from(y, (_, i) => i * per), y, per };
}

/** Of every stretch the least and the greatest finite value: no peak is lost; NaN where there is none. */
export function extremes(values: Float64Array, most: number): Points {
  const per = Math.ceil((2 * values.length) / most) || 1;
  if (per < 3) return { x: Float64Array.from(values, (_, i) => i), y: values, per: 1 };
  const count = Math.ceil(values.length / per);
  const x = new Float64Array(count * 2);
  const y = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    const end = Math.min(values.length, (i + 1) * per);
    let [low, high] = [-1, -1];
    for (let at = i * per; at < end; at++) {
      if (!Number.isFinite(values[at])) continue;
      if (low < 0 || values[at] < values[low]) low = at;
      if (high < 0 || values[at] > values[high]) high = at;
    }
    const [first, second] = low < high ? [low, high] : [high, low];
    x.set(low < 0 ? [i * per, i * per] : [first, second], i * 2);
    y.set(low < 0 ? [Number.NaN, Number.NaN] : [values[first], values[second]], i * 2);
  }
  return { x, y, per };
}
