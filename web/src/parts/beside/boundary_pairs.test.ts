import { expect, test } from 'vitest';
import { boundaryPairs } from './boundary_pairs';

const boundary = (from: number, to: number, before: number, after: number, position: number, sure = true) => ({
  from, to, before, after, position,
  estimate: sure ? { middle: position, low: position - 0.1, high: position + 0.1 } : null,
  present: sure ? 0.9 : null,
});

test('TheSameChangeStandsOnOneLine', () => {
  const pairs = boundaryPairs([boundary(0, 1, 0, 1, 0.4)], [boundary(0, 1, 0, 1, 0.6, false)]);
  expect(pairs).toHaveLength(1);
  expect(pairs[0].places[0]?.low).toBeCloseTo(0.3);
  expect(pairs[0].places[1]).toEqual({ middle: 0.6, low: 0.6, high: 0.6 });
  expect(pairs[0].present).toEqual([0.9, null]);
});

test('AChangeThatOnlyOneModelHasIsMissingInTheOther', () => {
  const pairs = boundaryPairs([boundary(1, 2, 0, 1, 0.4)], [boundary(0, 1, 1, 0, 0.6)]);
  expect(pairs.map(({ from, places }) => [from, places.map((place) => place !== null)])).toEqual([[0, [false, true]], [1, [true, false]]]);
  expect(boundaryPairs([], [])).toEqual([]);
});
