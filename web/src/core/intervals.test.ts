import { expect, test } from 'vitest';
import { estimateOf, policyIntervals, quantile, recordIntervals } from './intervals';
import { mindOf, policyAt, update, type Mind } from './model';
import { randomModel, seeded } from './testing/random_models';

const draws: Mind[] = Array.from({ length: 40 }, (_, i) => mindOf(randomModel(seeded(i + 1), { S: 3, tests: 1, visits: 1, ends: 1 })));

test('QuantilesLieBetweenNeighbours', () => {
  expect(quantile([1, 2, 4], 0.5)).toBe(2);
  expect(quantile([1, 2, 4], 0.75)).toBe(3);
  expect(quantile([5], 0.3)).toBe(5);
  expect(estimateOf([3, 1, 2])).toEqual({ middle: 2, low: 1.05, high: 2.95 });
  expect(estimateOf([]).middle).toBeNaN();
});

test('EveryDrawFollowsTheRecordWithItsOwnDynamics', () => {
  const steps = [{ action: 0, observation: 1 }, { action: 1, observation: -1 }];
  const found = recordIntervals(draws, steps)!;
  const second = draws.map((mind) => update(mind.dynamics, mind.dynamics.b1, 0, 1).belief);
  for (let s = 0; s < 3; ++s) expect(found.visits[1].belief[s]).toEqual(estimateOf(second.map((belief) => belief[s])));
  const likely = draws.map((mind, i) => policyAt(mind.policy, second[i]));
  for (let a = 0; a < 2; ++a) expect(found.visits[1].policy[a].low).toBeCloseTo(estimateOf(likely.map((p) => p[a])).low, 12);
  expect(found.after).toHaveLength(3);
});

test('NothingIsSaidWithoutDraws', () => {
  expect(recordIntervals([], [{ action: 0, observation: 0 }])).toBeNull();
  expect(policyIntervals([], [1, 0, 0])).toBeNull();
});

test('ATerminalActionHasNoBeliefAfterIt', () => {
  const ending = draws.map((mind) => ({ ...mind, problem: { ...mind.problem, terminal: [true, false] } }));
  expect(recordIntervals(ending, [{ action: 0, observation: -1 }])!.after).toBeNull();
});
