// Where numbers are cut, as a picture and as text.
import type { HistogramInfo } from './builder.svelte';

// Enough digits to tell cuts apart, no more.
export const rounded = (value: number): number => Number(value.toPrecision(6));

// Heights of bars, 0 … 1; a withheld count has the least height that can be seen.
export function heights(histogram: HistogramInfo): number[] {
  const most = Math.max(1, ...histogram.counts.map((count) => count ?? 0));
  return histogram.counts.map((count) => (count === null ? 0.02 : count / most));
}

// A new cut in the middle of the widest stretch that has none.
export function cutBetween({ low, high }: HistogramInfo, cuts: number[]): number {
  const edges = [low, ...cuts.filter((cut) => cut > low && cut < high), high];
  let best = 0;
  for (let k = 1; k + 1 < edges.length; ++k) {
    if (edges[k + 1] - edges[k] > edges[best + 1] - edges[best]) best = k;
  }
  return rounded((edges[best] + edges[best + 1]) / 2);
}

// A step of the arrow keys: a hundredth of the range, in round numbers.
export function keyStep({ low, high }: HistogramInfo): number {
  const span = high - low;
  return span > 0 ? 10 ** Math.round(Math.log10(span / 100)) : 1;
}
