import { expect, test } from 'vitest';
import { binsAlong, placeOf } from './ordered_lens';

test('a belief lies at its expected place', () => {
  expect(placeOf([1, 0, 0])).toBe(0);
  expect(placeOf([0, 1, 0])).toBe(0.5);
  expect(placeOf([0.5, 0, 0.5])).toBe(0.5);
  expect(placeOf([0, 0, 1])).toBe(1);
});

test('every visit is counted once, under its most likely action', () => {
  const beliefs = Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const bins = binsAlong(beliefs, 3, [5, 0, 2], [0, 1, 1], 2, 4);
  expect(bins.map(({ total }) => total)).toEqual([5, 0, 0, 2]);
  expect(bins[3].counts).toEqual([0, 2]);
});
