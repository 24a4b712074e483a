import { expect, test } from 'vitest';
import { cutBetween, heights, keyStep, rounded } from './cuts';

const histogram = { low: 0, high: 10, counts: [20, null, 10, 0] };

test('WithheldCountsAreSeenButSaynothingOfTheirSize', () => {
  expect(heights(histogram)).toEqual([1, 0.02, 0.5, 0]);
  expect(heights({ low: 0, high: 1, counts: [null, 0] })).toEqual([0.02, 0]);
});

test('ANewCutFallsIntoTheWidestStretch', () => {
  expect(cutBetween(histogram, [])).toBe(5);
  expect(cutBetween(histogram, [2])).toBe(6);
  expect(cutBetween(histogram, [2, 6])).toBe(4);
  expect(cutBetween(histogram, [-3, 50])).toBe(5);
});

test('StepsAreRoundNumbers', () => {
  expect(keyStep(histogram)).toBe(0.1);
  expect(keyStep({ low: 3, high: 3, counts: [] })).toBe(1);
  expect(rounded(6.400000000001)).toBe(6.4);
});
