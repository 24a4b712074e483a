import { expect, test } from 'vitest';
import { explainRecord } from '../../../core/explain';
import { beliefsAt, buildHistories, stepsOf } from '../../../core/histories';
import { mindOf } from '../../../core/model';
import { factorsOf, randomModel, randomRecords, seeded } from '../../../core/testing/random_models';
import { asVisitFilter, asksOfVisits, NEAR, noVisitFilter, visitFinder, type VisitFilter } from './visit_filter';

const random = seeded(11);
const model = randomModel(random, { S: 3, tests: 1, visits: 1, ends: 1 });
const records = randomRecords(random, model, 300, 6);
const mind = mindOf(model);
const { problem } = mind;
const factors = factorsOf(model);
const histories = buildHistories(records, problem);
const data = { problem, factors, histories, beliefs: beliefsAt(histories, mind), records, mind };

// The slow way, from the explanation of each record.
function firstVisit(record: number, filter: VisitFilter): number {
  return explainRecord(mind, factors, stepsOf(records, record, problem.Z)).findIndex((visit) => {
    const { action, observation } = visit.step;
    const seen = observation >= 0 && filter.result && factors.measured[action][filter.result.factor] ? factors.level[observation][filter.result.factor] : -1;
    return (
      (filter.done === null || action === filter.done) &&
      (!filter.result || seen === filter.result.level) &&
      (!filter.belief || visit.belief[filter.belief.state] >= filter.belief.least) &&
      (filter.surprise === null || visit.surprise >= filter.surprise) &&
      (!filter.at || filter.at.every((x, s) => Math.abs(visit.belief[s] - x) <= NEAR))
    );
  });
}

test('FindsTheFirstVisitAtWhichAllOfItHolds', () => {
  const wanted: Partial<VisitFilter>[] = [
    { done: 1 }, { result: { factor: 0, level: 2 } }, { belief: { state: 1, least: 0.5 } }, { surprise: 1.5 },
    { at: Array.from(mind.dynamics.b1) }, { done: 0, result: { factor: 1, level: 1 }, belief: { state: 0, least: 0.2 } },
    { done: 0, surprise: 2 },
  ];
  for (const part of wanted) {
    const filter = { ...noVisitFilter, ...part };
    const find = visitFinder(filter, data);
    const found = records.steps.map((_, r) => find(r));
    expect(found).toEqual(records.steps.map((_, r) => firstVisit(r, filter)));
    expect(found.some((visit) => visit >= 0), JSON.stringify(part)).toBe(true);
  }
});

test('TheAddressMayHoldAnything', () => {
  const of = (address: Record<string, string>) => asVisitFilter((name) => address[name] ?? null, problem, factors);
  expect(of({})).toEqual(noVisitFilter);
  expect(asksOfVisits(of({}))).toBe(false);
  expect(of({ done: '1', result: '0.2', belief: '1:80', surprise: '3', at: '0.2,0.3,0.5' })).toEqual({
    done: 1, result: { factor: 0, level: 2 }, belief: { state: 1, least: 0.8 }, surprise: 3, at: [0.2, 0.3, 0.5],
  });
  for (const bad of [{ done: '9' }, { done: '-1' }, { result: '0' }, { result: '7.0' }, { belief: '5:50' }, { belief: '1:0' }, { belief: '1:101' }, { surprise: 'x' }, { surprise: '-1' }, { at: '1,2' }, { at: '' }, { at: '0,0,7' }]) {
    expect(of(bad as unknown as Record<string, string>), JSON.stringify(bad)).toEqual(noVisitFilter);
  }
});
