import { expect, test } from 'vitest';
import { explainRecord } from '../../core/explain';
import { buildHistories } from '../../core/histories';
import { mindOf } from '../../core/model';
import { apart, nodeDifferences, recordDifference } from './model_difference';
import { factorsOf, randomModel, randomRecords, seeded } from '../../core/testing/random_models';

const shape = { S: 3, tests: 1, visits: 2, ends: 1 };
const random = seeded(5);
const json = randomModel(random, shape);
const first = mindOf(json);
const second = mindOf(randomModel(random, shape));
const records = randomRecords(random, json, 40, 6);
const h = buildHistories(records, first.problem);
const actionsOf = (record: number) => records.steps[record].map((code) => Math.floor(code / (first.problem.Z + 1)));

test('AModelDiffersFromItselfNowhere', () => {
  const of = nodeDifferences(h, first, first);
  const none = { belief: 0, beliefAt: 0, policy: 0, policyAt: 0, otherwise: 0, gain: 0 };
  records.steps.forEach((_, record) => expect(recordDifference(h, of, actionsOf(record), record)).toEqual(none));
});

// Record by record, without the tree.
test('TheTreeSaysWhatTwoExplanationsOfARecordSay', () => {
  const of = nodeDifferences(h, first, second);
  let otherwise = 0;
  records.steps.forEach((codes, record) => {
    const steps = codes.map((code) => ({ action: Math.floor(code / (first.problem.Z + 1)), observation: (code % (first.problem.Z + 1)) - 1 }));
    const [x, y] = [first, second].map((mind) => explainRecord(mind, factorsOf(json), steps));
    const found = recordDifference(h, of, actionsOf(record), record);
    const beliefs = x.map((visit, v) => apart(visit.belief, y[v].belief));
    const policies = x.map((visit, v) => apart(visit.policy, y[v].policy));
    expect(found.belief).toBeCloseTo(Math.max(...beliefs), 12);
    expect(beliefs[found.beliefAt]).toBeCloseTo(found.belief, 12);
    expect(found.policy).toBeCloseTo(Math.max(...policies), 12);
    expect(policies[found.policyAt]).toBeCloseTo(found.policy, 12);
    expect(found.otherwise).toBe(x.filter((visit, v) => visit.region !== y[v].region).length);
    expect(found.gain).toBeCloseTo(x.reduce((sum, visit, v) => sum + (visit.surprise - y[v].surprise) * Math.LN2, 0), 9);
    otherwise += found.otherwise;
  });
  expect(otherwise).toBeGreaterThan(0);
});
