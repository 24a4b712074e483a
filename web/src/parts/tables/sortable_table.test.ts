import { expect, test } from 'vitest';
import { ordered, sortedPlace, sortText } from './sortable_table';

test('MissingValuesComeLastEitherWay', () => {
  const rows = [3, null, 1, NaN, 2];
  expect(ordered(rows, (x) => x, false)).toEqual([1, 2, 3, null, NaN]);
  expect(ordered(rows, (x) => x, true)).toEqual([3, 2, 1, null, NaN]);
});

test('NumbersWithinWordsCountAsNumbersAndEqualsKeepTheirOrder', () => {
  expect(ordered(['Patient 10', 'Patient 9'], (x) => x, false)).toEqual(['Patient 9', 'Patient 10']);
  const rows = [{ n: 1, at: 'a' }, { n: 1, at: 'b' }, { n: 0, at: 'c' }];
  expect(ordered(rows, (row) => row.n, true).map((row) => row.at)).toEqual(['a', 'b', 'c']);
});

test('HowItIsSortedSurvivesTheAddress', () => {
  for (const place of [{ by: 2, down: true, page: 3 }, { by: 0, down: false, page: 0 }, { by: null, down: false, page: 4 }]) {
    expect(sortedPlace(sortText(place), 5)).toEqual(place);
  }
  expect(sortText({ by: null, down: false, page: 0 })).toBeNull();
  const usual = { by: null, down: false, page: 0 };
  for (const text of [null, '', 'x', '9d0', '-1d0']) expect(sortedPlace(text, 5).by).toBe(usual.by);
});
