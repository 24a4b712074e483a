import { expect, test } from 'vitest';
import { pairedWords } from './paired_words';

const names = ['Coupled', 'Shared'];

test('TheModelWithTheSmallerLossIsBetter', () => {
  expect(pairedWords(names, { middle: 0.02, low: 0.01, high: 0.03 })).toBe('Coupled foresees the recorded decisions better than Shared, by 0.020 nats a decision (95% interval 0.010 to 0.030).');
  expect(pairedWords(names, { middle: -0.02, low: -0.03, high: -0.01 })).toBe('Shared foresees the recorded decisions better than Coupled, by 0.020 nats a decision (95% interval 0.010 to 0.030).');
});

test('AnIntervalThatHoldsZeroShowsNothing', () => {
  expect(pairedWords(names, { middle: 0.01, low: -0.01, high: 0.03 })).toMatch(/^Neither is shown .*: Coupled does by 0.010 nats/);
  expect(pairedWords(names, { middle: 0, low: 0, high: 0 })).toMatch(/^Neither/);
});

test('WithoutAnIntervalNothingIsSaid', () => {
  expect(pairedWords(names, null)).toMatch(/not known/);
  expect(pairedWords(names, { middle: 1, low: null, high: null })).toMatch(/not known/);
});
