// Where things lie in the chart of beliefs over time.
import type { Estimate } from '../../core/payload';
import type { Moment } from '../../core/time/drift';
import { linear, ticks } from './axis';
import { textWidth } from './text_lines';

export interface Frame {
  left: number;
  right: number; // x of the plot's end
  top: number;
  bottom: number;
  step: number; // between visits; on an axis of time, between the two that are nearest
  usual: number; // … and between most
  at?: number[]; // on an axis of time: x of each column
}

// A belief somewhere on its way: at a visit, or between two.
export interface CoursePoint {
  x: number;
  belief: ArrayLike<number>;
  column: number | null; // null: between visits
  sure?: Estimate[]; // [state]
}

// What is drawn, as lines or as bands.
export interface BeliefDrawing {
  frame: Frame;
  states: string[];
  course: CoursePoint[];
  ghosts: CoursePoint[]; // what might have been, from where it differs
  current: number;
}

export const height = { plot: 220, top: 10, axis: 24, unit: 16, strip: 18 };

// Columns are visits, and one more for the belief after the last result. Room at the right for names.
export function frameOf(width: number, columns: number, names: string[]): Frame {
  const label = Math.min(0.32 * width, 22 + Math.max(...names.map((name) => textWidth(name, 12, 600)), 20));
  const left = 40;
  const right = Math.max(left + 40, width - label);
  return { left, right, top: height.top, bottom: height.top + height.plot, ...evenly((right - left) / Math.max(1, columns)) };
}

const evenly = (step: number) => ({ step, usual: step });


// Columns where they were in time. One more than there are times: what was seen at once after the last visit.
export function timeFrame(width: number, times: number[], columns: number, names: string[]): Frame {
  const plain = frameOf(width, 1, names);
  const inset = 14;
  const place = linear([0, times[times.length - 1]], [plain.left + inset, plain.right - inset - (columns > times.length ? 12 : 0)]);
  const at = times.map(place);
  if (columns > at.length) at.push(at[at.length - 1] + 12);
  const between = at.slice(1).map((x, i) => x - at[i]).sort((a, b) => a - b);
  const usual = between[between.length >> 1] ?? plain.step;
  return { ...plain, at, step: Math.max(6, Math.min(between[0] ?? 40, 40)), usual };
}

export const xOf = (frame: Frame, column: number) => (frame.at ? frame.at[column] : frame.left + (column + 0.5) * frame.step);
export const yOf = (frame: Frame, share: number) => frame.bottom - share * (frame.bottom - frame.top);

export function columnAt(frame: Frame, x: number, columns: number): number {
  if (frame.at) return frame.at.reduce((best, place, i) => (Math.abs(place - x) < Math.abs(frame.at![best] - x) ? i : best), 0);
  return Math.max(0, Math.min(columns - 1, Math.floor((x - frame.left) / frame.step)));
}

// Moments between visits at which a belief is worked out: every few pixels, and just before the next visit.
export function momentsOf(frame: Frame, times: number[]): Moment[] {
  return times.slice(1).flatMap((next, visit) => {
    const gap = next - times[visit];
    const count = Math.max(1, Math.min(40, Math.round((xOf(frame, visit + 1) - xOf(frame, visit)) / 7)));
    return Array.from({ length: count }, (_, i) => ({ visit, since: i + 1 === count ? gap : (gap * (i + 1)) / count }));
  });
}

// Beliefs at visits from column `first` on, and at the moments between them.
export function courseOf(
  frame: Frame,
  beliefs: ArrayLike<number>[],
  first = 0,
  between: { times: number[]; moments: Moment[]; at: (moment: Moment, index: number) => { belief: ArrayLike<number>; sure?: Estimate[] } } | null = null,
): CoursePoint[] {
  const course: CoursePoint[] = [];
  beliefs.forEach((belief, i) => {
    const column = first + i;
    course.push({ x: xOf(frame, column), belief, column });
    if (!between || i + 1 === beliefs.length) return;
    between.moments.forEach((moment, index) => {
      if (moment.visit !== column) return;
      const share = moment.since / (between.times[column + 1] - between.times[column]);
      course.push({ x: xOf(frame, column) + share * (xOf(frame, column + 1) - xOf(frame, column)), column: null, ...between.at(moment, index) });
    });
  });
  return course;
}

// Round times below the axis, where the chosen visit's own time leaves room for them.
export function timeTicks(frame: Frame, times: number[], chosen: number): { x: number; text: string }[] {
  const end = times[times.length - 1];
  const place = linear([0, end], [xOf(frame, 0), xOf(frame, times.length - 1)]);
  const room = textWidth(String(Number(chosen.toPrecision(4))), 12, 650) / 2 + 8;
  return ticks([0, end], Math.max(2, Math.floor((frame.right - frame.left) / 60)))
    .map((time) => ({ x: place(time), text: String(time) }))
    .filter(({ x, text }) => Math.abs(x - place(chosen)) > room + textWidth(text, 12) / 2);
}

export const tooLong = (names: string[]): boolean => names.some((name) => textWidth(name, 12) > 64);

// Every how many visits a name fits below the axis.
export function every(frame: Frame, names: string[]): number {
  const widest = Math.max(...names.map((name) => textWidth(name, 12)), 8) + 8;
  return Math.max(1, Math.ceil(widest / frame.step));
}

export function linePath(frame: Frame, course: CoursePoint[], values: number[]): string {
  return values.map((value, i) => `${i === 0 ? 'M' : 'L'}${course[i].x.toFixed(1)} ${yOf(frame, value).toFixed(1)}`).join('');
}

// The band between two lines.
export function bandPath(frame: Frame, course: CoursePoint[], low: number[], high: number[]): string {
  const back = low.map((value, i) => `L${course[i].x.toFixed(1)} ${yOf(frame, value).toFixed(1)}`).reverse();
  return `${linePath(frame, course, high)}${back.join('')}Z`;
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
