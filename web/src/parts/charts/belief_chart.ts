// Where things lie in the chart of beliefs over time.
import { textWidth } from './text_lines';

export interface Frame {
  left: number;
  right: number; // x of the plot's end
  top: number;
  bottom: number;
  step: number; // between visits
}

// What is drawn in it, as lines or as bands.
export interface BeliefDrawing {
  frame: Frame;
  states: string[];
  beliefs: ArrayLike<number>[];
  ghosts: ArrayLike<number>[]; // from column `from` on
  from: number;
  current: number;
}

export const height = { plot: 220, top: 10, axis: 24, strip: 18 };

// Columns are visits, and one more for the belief after the last result. Room at the right for names.
export function frameOf(width: number, columns: number, names: string[]): Frame {
  const label = Math.min(0.32 * width, 22 + Math.max(...names.map((name) => textWidth(name, 12, 600)), 20));
  const left = 40;
  const right = Math.max(left + 40, width - label);
  return { left, right, top: height.top, bottom: height.top + height.plot, step: (right - left) / Math.max(1, columns) };
}

export const xOf = (frame: Frame, column: number) => frame.left + (column + 0.5) * frame.step;
export const yOf = (frame: Frame, share: number) => frame.bottom - share * (frame.bottom - frame.top);

export function columnAt(frame: Frame, x: number, columns: number): number {
  return Math.max(0, Math.min(columns - 1, Math.floor((x - frame.left) / frame.step)));
}

export const tooLong = (names: string[]): boolean => names.some((name) => textWidth(name, 12) > 64);

// Every how many visits a name fits below the axis.
export function every(frame: Frame, names: string[]): number {
  const widest = Math.max(...names.map((name) => textWidth(name, 12)), 8) + 8;
  return Math.max(1, Math.ceil(widest / frame.step));
}

export function linePath(frame: Frame, values: number[], from = 0): string {
  return values.map((value, i) => `${i === 0 ? 'M' : 'L'}${xOf(frame, from + i).toFixed(1)} ${yOf(frame, value).toFixed(1)}`).join('');
}

// The band between two lines.
export function bandPath(frame: Frame, low: number[], high: number[]): string {
  const back = low.map((value, i) => `L${xOf(frame, i).toFixed(1)} ${yOf(frame, value).toFixed(1)}`).reverse();
  return `${linePath(frame, high)}${back.join('')}Z`;
}

// Sums of the first shares: the lower edge of band s is sums[s], its upper edge sums[s + 1].
export function sumsOf(beliefs: ArrayLike<number>[], S: number): number[][] {
  const sums = [beliefs.map(() => 0)];
  for (let s = 0; s < S; ++s) sums.push(beliefs.map((belief, i) => sums[s][i] + belief[s]));
  return sums;
}

// Moves labels apart, at least `gap` each, keeping their order and staying between top and bottom.
export function spread(wanted: number[], gap: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  order.forEach((i, k) => {
    placed[i] = Math.max(wanted[i], k === 0 ? top : placed[order[k - 1]] + gap);
  });
  for (let k = order.length - 1; k >= 0; --k) {
    const most = k === order.length - 1 ? bottom : placed[order[k + 1]] - gap;
    placed[order[k]] = Math.min(placed[order[k]], most);
  }
  return placed;
}

// A mark for each state that greyscale keeps apart, as a path around the origin.
const marks = ['M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z', 'M-3.6 -3.6H3.6V3.6H-3.6Z', 'M0 -4.8L4.6 3.4H-4.6Z', 'M0 -5L5 0L0 5L-5 0Z', 'M0 4.8L4.6 -3.4H-4.6Z'];
export const stateMark = (state: number): string => marks[state % marks.length];
