import { describe, expect, it } from 'vitest';
import { columnAt, courseOf, every, frameOf, momentsOf, spread, sumsOf, timeFrame, timeTicks, xOf } from './belief_chart';

describe('labels at the end of lines', () => {
  it('stay where they are if there is room', () => {
    expect(spread([10, 50, 90], 14, 0, 100)).toEqual([10, 50, 90]);
  });
  it('move apart, keep their order and stay inside', () => {
    const placed = spread([99, 97, 98], 14, 0, 100);
    expect(placed).toEqual([100, 72, 86]);
    expect(spread([0, 0, 0], 14, 4, 100)).toEqual([4, 18, 32]);
  });
});

describe('columns', () => {
  it('are found again from where they are drawn', () => {
    const frame = frameOf(390, 41, ['a state']);
    for (let column = 0; column < 41; ++column) expect(columnAt(frame, xOf(frame, column), 41)).toBe(column);
    expect(columnAt(frame, -10, 41)).toBe(0);
    expect(columnAt(frame, 9999, 41)).toBe(40);
  });
  it('leave room for the plot beside very long names', () => {
    const frame = frameOf(320, 3, ['x'.repeat(200)]);
    expect(frame.right - frame.left).toBeGreaterThan(150);
  });
  it('thin their names where they crowd', () => {
    const names = Array.from({ length: 41 }, (_, i) => String(i + 1));
    expect(every(frameOf(390, 41, ['a']), names)).toBeGreaterThan(1);
    expect(every(frameOf(390, 3, ['a']), names.slice(0, 3))).toBe(1);
  });
});

describe('an axis of time', () => {
  const times = [0, 3, 45, 52];
  const frame = timeFrame(520, times, 4, ['a state']);

  it('has visits where they happened', () => {
    const [first, , , last] = times.map((_, i) => xOf(frame, i));
    times.forEach((time, i) => expect(xOf(frame, i)).toBeCloseTo(first + (time / 52) * (last - first), 9));
    times.forEach((_, i) => expect(columnAt(frame, xOf(frame, i) + 2, 4)).toBe(i));
    expect(frame.step).toBeLessThan(frame.usual);
  });
  it('has what was seen at once after the last visit beside it', () => {
    const more = timeFrame(520, times, 5, ['a state']);
    expect(xOf(more, 4)).toBeGreaterThan(xOf(more, 3));
    expect(xOf(more, 4)).toBeLessThan(more.right);
  });
  it('works out beliefs between visits, and just before each', () => {
    const moments = momentsOf(frame, times);
    for (const visit of [0, 1, 2]) {
      const of = moments.filter((moment) => moment.visit === visit);
      expect(of.at(-1)?.since).toBe(times[visit + 1] - times[visit]);
      of.slice(1).forEach((moment, i) => expect(moment.since).toBeGreaterThan(of[i].since));
    }
    expect(moments.filter(({ visit }) => visit === 1).length).toBeGreaterThan(moments.filter(({ visit }) => visit === 0).length);
    const course = courseOf(frame, [[0], [1], [2], [3]], 0, { times, moments, at: ({ visit, since }) => ({ belief: [visit + since / 100] }) });
    expect(course.filter(({ column }) => column !== null).map(({ belief }) => belief[0])).toEqual([0, 1, 2, 3]);
    course.slice(1).forEach(({ x }, i) => expect(x).toBeGreaterThanOrEqual(course[i].x - 1e-9));
  });
  it('writes round times where the chosen one leaves room', () => {
    expect(timeTicks(frame, times, 52).map(({ text }) => text)).toEqual(['0', '10', '20', '30', '40']);
    expect(timeTicks(frame, times, 11).map(({ text }) => text)).not.toContain('10');
  });
});

it('bands are stacked to the whole', () => {
  const sums = sumsOf([[0.25, 0.5, 0.25], [1, 0, 0]], 3);
  expect(sums).toEqual([[0, 0], [0.25, 1], [0.75, 1], [1, 1]]);
});
