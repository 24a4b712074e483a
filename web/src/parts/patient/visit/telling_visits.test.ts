import { expect, test } from 'vitest';
import { explainRecord } from '../../../core/explain';
import { mindOf } from '../../../core/model';
import { factorsOf, randomModel, seeded } from '../../../core/testing/random_models';
import { tellingVisits } from './telling_visits';

const random = seeded(3);
const json = randomModel(random, { S: 3, tests: 1, visits: 2, ends: 0 });
const steps = Array.from({ length: 20 }, (_, t) => ({ action: t % 3 === 0 ? 1 : 2, observation: -1 }));
const visits = explainRecord(mindOf(json), factorsOf(json), steps);
const none = steps.map(() => false);

test('AShortRecordIsShownWhole', () => {
  expect(tellingVisits(visits, 5, 2, none, 6)).toEqual([0, 1, 2, 3, 4]);
  expect(tellingVisits([], 0, 0, [], 6)).toEqual([]);
});

test('ALongOneKeepsItsEndsTheChosenVisitAndFlags', () => {
  const flagged = steps.map((_, v) => v === 7);
  const shown = tellingVisits(visits, 20, 11, flagged, 6);
  expect(shown).toHaveLength(6);
  expect(shown).toEqual([...shown].sort((x, y) => x - y));
  for (const v of [0, 7, 11, 19]) expect(shown).toContain(v);
});

test('TheMostSurprisingVisitIsAmongThem', () => {
  const odd = visits.map((visit, v) => (v === 13 ? { ...visit, surprise: 50 } : visit));
  expect(tellingVisits(odd, 20, 0, none, 4)).toContain(13);
});

test('VisitsTheModelCannotExplainComeLast', () => {
  expect(tellingVisits(visits.slice(0, 3), 20, 0, none, 4)).toEqual([0, 1, 2, 19]);
});
