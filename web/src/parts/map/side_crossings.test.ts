import { expect, test } from 'vitest';
import { sideCrossings } from './side_crossings';

const policy = (eta: number, ...means: number[][]) => ({ eta, means: means.map((mean) => Float64Array.from(mean)) });

test('half-way between two means on the side itself', () => {
  const [only, ...others] = sideCrossings(policy(5, [0.9, 0.1], [0.3, 0.7]), 2);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ from: 0, to: 1, before: 0, after: 1 });
  expect(only.position).toBeCloseTo(0.4, 12);
});

test('three regions along one side, in order', () => {
  const found = sideCrossings(policy(10, [0.5, 0.5], [1.28, -0.28], [-0.3, 1.3]), 2);
  expect(found.map(({ before, after }) => [before, after])).toEqual([[1, 0], [0, 2]]);
  expect(found[0].position).toBeCloseTo((0.5 - 0.28) / 2, 12);
  expect(found[1].position).toBeCloseTo((0.5 + 1.3) / 2, 12);
});

test('none where one action wins everywhere, and none without a preference', () => {
  expect(sideCrossings(policy(5, [0.5, 0.5], [9, -8]), 2).length).toBe(0);
  expect(sideCrossings(policy(0, [1, 0], [0, 1]), 2)).toEqual([]);
});
