import { expect, test } from 'vitest';
import type { SharesJson } from '../../core/payload';
import { foreseenText, sharesBars, shareText } from './shares_bars';

const part = (words: string, share: number) => ({ name: words, words, share, nats: 0.2 * share });
const shares: SharesJson = {
  foreseen: 0.245, gained: 0.2, frequencies: 0.8, sentences: [],
  parts: [part('belief', 0.8), part('habit', 0.3), part('distorted picture', -0.1)],
};

test('EachBarBeginsWhereTheOneBeforeItEnded', () => {
  const { bars, domain } = sharesBars(shares);
  expect(bars.map(({ from, to }) => [from, to].map((x) => Number(x.toFixed(9))))).toEqual([[0, 0.8], [0.8, 1.1], [1.1, 1]]);
  expect(domain[0]).toBe(0);
  expect(domain[1]).toBeCloseTo(1.1);
});

test('TheAxisHoldsNothingAndEverything', () => {
  expect(sharesBars({ ...shares, parts: [part('belief', 1)] }).domain).toEqual([0, 1]);
  expect(sharesBars({ ...shares, parts: [] }).domain).toEqual([0, 1]);
});

test('SharesAreWholePerCent', () => {
  expect([0.614, -0.014, -0.004, 0].map(shareText)).toEqual(['61%', '−1%', '0%', '0%']);
});

test('WhatIsForeseenAndWhatIsNotSumToAHundred', () => {
  expect(foreseenText(shares)).toEqual(['25%', '75%']);
});
