import { expect, test } from 'vitest';
import { figure, intervalCells, intervalHeads } from './figures';

test('SharesAreNumbersHoweverSmall', () => {
  expect(figure(0.0041239)).toBe(0.004124);
  expect(figure(0)).toBe(0);
  expect(figure(1 - 1e-12)).toBe(1);
  expect([figure(null), figure(undefined), figure(NaN), figure(Infinity)]).toEqual([null, null, null, null]);
});

test('IntervalsHaveColumnsOfTheirOwnWhereThereAreAny', () => {
  expect(intervalHeads('Belief', true)).toEqual(['Belief', 'Belief, low', 'Belief, high']);
  expect(intervalHeads('Belief', false)).toEqual(['Belief']);
  expect(intervalCells(0.5, { middle: 0.5, low: 0.25, high: 0.75 }, true)).toEqual([0.5, 0.25, 0.75]);
  expect(intervalCells(0.5, undefined, true)).toEqual([0.5, null, null]);
  expect(intervalCells(0.5, undefined, false)).toEqual([0.5]);
});
