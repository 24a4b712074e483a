import { expect, test } from 'vitest';
import { wilson } from '../../core/newcombe';
import type { CohortRowJson, ShareJson } from '../../core/payload';
import { compare, differenceDomain, differenceRow, featureRow, shareDomain, shareRow, naturalOrder } from './cohort_words';

const share = (flagged: number, total: number): ShareJson => ({ flagged, total, share: wilson(flagged, total), p_value: 0.02 });
const row = (name: string, belated: ShareJson | null): CohortRowJson => ({
  name,
  patients: belated?.total ?? null,
  flags: { belated, uninformative_tests: null, uninformative_patients: null, unlikely: null },
  of_flagged: { belated: null, uninformative_tests: null, uninformative_patients: null, unlikely: null },
  of_all: belated ? wilson(belated.total, 200) : null,
});

test('WithheldIsSaidNeverZero', () => {
  expect(shareRow(row('small', null), 'belated')).toEqual({ label: 'small', marks: [], missing: 'withheld' });
  expect(featureRow(row('small', null), 'belated').missing).toBe('withheld');
  expect(featureRow(row('some', share(56, 70)), 'belated').aside).toEqual(['of flagged: withheld', '35% of all']);
  const [belated, tests] = compare(row('a', share(56, 70)), row('b', null));
  expect([belated.a, belated.b, belated.difference]).toEqual(['56 of 70: 80% (69% to 88%)', 'withheld', null]);
  expect(differenceRow(tests, 'Tests').missing).toBe('withheld');
});

test('PValuesAreAdjustedWhereTheReportHasThem', () => {
  const asideOf = (x: ShareJson) => shareRow(row('a', x), 'belated').aside?.[1];
  expect(asideOf(share(56, 70))).toBe('p = 0.02 against the rest');
  expect(asideOf({ ...share(56, 70), p_value_adjusted: 0.16 })).toBe('p = 0.16 against the rest');
});

test('TheDifferenceHasNewcombesInterval', () => {
  const [belated] = compare(row('a', share(56, 70)), row('b', share(48, 80)));
  expect(belated.difference?.low).toBeCloseTo(0.0524, 4);
  expect(differenceRow(belated, 'Belated').aside).toEqual(['+20 points', '(+5 to +33)']);
});

test('AxesHoldEverythingDrawn', () => {
  const rows = [shareRow(row('a', share(10, 200)), 'belated'), shareRow(row('b', null), 'belated')];
  const [low, high] = shareDomain(rows);
  expect(low).toBe(0);
  expect(high).toBeGreaterThanOrEqual(wilson(10, 200).high);
  expect(shareDomain([shareRow(row('a', share(150, 200)), 'belated')])).toEqual([0, 1]);
  expect(differenceDomain([])).toEqual([-0.05, 0.05]);
});

test('GroupsStandInTheOrderPeopleCountIn', () => {
  const names = ['10', '2', 'site 12', '1', 'site 3', '2'];
  expect(naturalOrder(names).map((i) => names[i])).toEqual(['1', '2', '2', '10', 'site 3', 'site 12']);
});
