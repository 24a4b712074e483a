import { expect, test } from 'vitest';
import { difference, wilson } from './newcombe';

// Newcombe (1998), Statistics in Medicine 17:873, table II, method 10: 56/70 against 48/80.
test('MatchesNewcombesWorkedExample', () => {
  const d = difference(wilson(56, 70), wilson(48, 80));
  expect(d.middle).toBeCloseTo(0.2, 12);
  expect(d.low).toBeCloseTo(0.0524, 4);
  expect(d.high).toBeCloseTo(0.3339, 4);
});

test('MatchesNewcombesExampleWithZeroCounts', () => {
  const d = difference(wilson(10, 10), wilson(0, 20));
  expect(d.low).toBeCloseTo(0.6791, 4);
  expect(d.high).toBe(1);
});

test('ExchangingTheSharesTurnsTheIntervalRound', () => {
  const x = wilson(9, 10);
  const y = wilson(3, 10);
  const there = difference(x, y);
  const back = difference(y, x);
  expect(there.low).toBeCloseTo(-back.high, 12);
  expect(there.high).toBeCloseTo(-back.low, 12);
});

test('WilsonStaysWithinZeroAndOne', () => {
  expect(wilson(0, 5).low).toBe(0);
  expect(wilson(5, 5).high).toBeLessThanOrEqual(1);
});
