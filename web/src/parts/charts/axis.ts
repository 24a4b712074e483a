// Straight axes: where a value lies, and where ticks make sense.

export type Scale = (value: number) => number;

export function linear(domain: [number, number], range: [number, number]): Scale {
  const span = domain[1] - domain[0] || 1;
  return (value) => range[0] + ((value - domain[0]) / span) * (range[1] - range[0]);
}

// About `count` round numbers (1, 2, 2.5 or 5 times a power of ten apart) within the domain.
export function ticks(domain: [number, number], count: number): number[] {
  const span = domain[1] - domain[0];
  if (!(span > 0)) return [domain[0]];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) ?? 10 * power;
  const first = Math.ceil(domain[0] / step - 1e-9);
  const last = Math.floor(domain[1] / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// The end of an axis that begins at zero and holds `largest`.
export function roundUp(largest: number): number {
  if (!(largest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((m) => m * power >= largest) ?? 10) * power;
}
