import { expect, test } from 'vitest';
import { printable, sds, share } from './flag_words';

test('SmallCountsAreNotPrintedWithoutIdentifiersButZeroIs', () => {
  expect(printable(3, false, 11)).toBeNull();
  expect(printable(3, true, 11)).toBe(3);
  expect(printable(0, false, 11)).toBe(0);
  expect(printable(11, false, 11)).toBe(11);
});

test('AWithheldShareGivesNoPercentage', () => {
  expect(share(null, 1641, 'patients', 11)).toBe('fewer than 11 of 1,641 patients');
  expect(share(0, 1641, 'patients', 11)).toBe('none of 1,641 patients');
  expect(share(216, 1641, 'patients', 11)).toBe('216 of 1,641 patients (13%)');
});

test('StandardDeviationsSayTheirSide', () => {
  expect(sds(0.5)).toBe('0.5 SD below');
  expect(sds(-0.25)).toBe('0.25 SD above');
  expect(sds(0)).toBe('the mean');
});
