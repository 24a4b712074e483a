import { expect, test } from 'vitest';
import { linear, roundUp, ticks } from './axis';

test('TicksAreRoundAndWithinTheDomain', () => {
  expect(ticks([0, 1], 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks([0.5, 0.99], 5)).toEqual([0.5, 0.6, 0.7, 0.8, 0.9]);
  expect(ticks([-0.3, 0.3], 4)).toEqual([-0.2, 0, 0.2]);
  expect(ticks([2, 2], 4)).toEqual([2]);
});

test('LinearMapsEndsToEnds', () => {
  const x = linear([0, 1], [10, 110]);
  expect([x(0), x(0.5), x(1)]).toEqual([10, 60, 110]);
  expect(linear([3, 3], [0, 5])(3)).toBe(0);
});

test('RoundUpHoldsTheLargest', () => {
  for (const value of [0.03, 1, 7, 11, 216, 1641, 99999]) {
    expect(roundUp(value)).toBeGreaterThanOrEqual(value);
    expect(roundUp(value)).toBeLessThanOrEqual(value * 1.7);
  }
  expect(roundUp(0)).toBe(1);
});
