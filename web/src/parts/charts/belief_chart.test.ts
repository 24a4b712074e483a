import { describe, expect, it } from 'vitest';
import { columnAt, every, frameOf, spread, sumsOf, xOf } from './belief_chart';

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

it('bands are stacked to the whole', () => {
  const sums = sumsOf([[0.25, 0.5, 0.25], [1, 0, 0]], 3);
  expect(sums).toEqual([[0, 0], [0.25, 1], [0.75, 1], [1, 1]]);
});
