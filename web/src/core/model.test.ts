import { describe, expect, it } from 'vitest';
import { mindOf, mindsOfDraws, mostLikely, policyAt, predict, logPolicyAt, update, withMean, worldOf } from './model';
import { randomModel, seeded, simplexPoint } from './testing/random_models';
import type { ModelJson } from './payload';

const shape = { S: 3, tests: 1, visits: 1, ends: 1 };

function model(seed: number): ModelJson {
  return randomModel(seeded(seed), shape);
}

describe('belief update', () => {
  it('is Bayes: the share of paths that end in a state, among those with the outcome', () => {
    for (let seed = 1; seed <= 20; ++seed) {
      const json = model(seed);
      const mind = mindOf(json);
      const b = simplexPoint(seeded(seed + 100), 3);
      const z = json.allowed[0].indexOf(true);
      const joint = [0, 1, 2].map((to) =>
        [0, 1, 2].reduce((sum, from) => sum + b[from] * json.transition[0][from][to] * json.observation[0]![to][z], 0),
      );
      const total = joint.reduce((x, y) => x + y, 0);
      const { belief, chance } = update(mind.dynamics, b, 0, z);
      expect(chance).toBeCloseTo(total, 14);
      joint.forEach((p, s) => expect(belief[s]).toBeCloseTo(p / total, 14));
    }
  });

  it('moves by the transition alone when nothing was seen', () => {
    const json = model(1);
    const mind = mindOf(json);
    const { belief, chance } = update(mind.dynamics, [1, 0, 0], 1, -1);
    expect(chance).toBeCloseTo(1, 14);
    json.transition[1][0].forEach((p, s) => expect(belief[s]).toBeCloseTo(p, 14));
    expect(predict(mind.dynamics, [1, 0, 0], 1)).toEqual(belief);
  });

  it('says 0, and believes nothing, where an outcome is impossible', () => {
    const json = model(2);
    const mind = mindOf(json);
    const forbidden = json.allowed[0].indexOf(false);
    expect(update(mind.dynamics, [0.2, 0.3, 0.5], 0, forbidden)).toEqual({ belief: new Float64Array(3), chance: 0 });
    expect(update(mind.dynamics, [0.2, 0.3, 0.5], 2, 0).chance).toBe(0); // a terminal action yields nothing
  });
});

describe('policy', () => {
  it('falls with the squared distance to the mean', () => {
    for (let seed = 1; seed <= 20; ++seed) {
      const json = model(seed);
      const { policy } = mindOf(json);
      const b = simplexPoint(seeded(seed + 100), 3);
      const raw = json.means.map((mean) =>
        Math.exp(-json.inverse_temperature * mean.reduce((sum, m, s) => sum + (b[s] - m) ** 2, 0)),
      );
      const total = raw.reduce((x, y) => x + y, 0);
      const pi = policyAt(policy, b);
      raw.forEach((p, a) => expect(pi[a]).toBeCloseTo(p / total, 13));
      expect(pi[mostLikely(policy, b)]).toBe(Math.max(...pi));
      logPolicyAt(policy, b).forEach((x, a) => expect(Math.exp(x)).toBeCloseTo(pi[a], 14));
    }
  });

  it('stays finite where numbers would overflow', () => {
    const policy = { eta: 1e6, means: [Float64Array.of(1, 0), Float64Array.of(-3, 4)] };
    expect([...policyAt(policy, [1, 0])]).toEqual([1, 0]);
    expect(logPolicyAt(policy, [1, 0])[1]).toBeCloseTo(-32e6, 0);
  });

  it('names the first of equally near actions', () => {
    const policy = { eta: 1, means: [Float64Array.of(0, 1), Float64Array.of(1, 0), Float64Array.of(1, 0)] };
    expect(mostLikely(policy, [0.8, 0.2])).toBe(1);
    expect(mostLikely(policy, [9, 9, 0.2, 0.8], 2)).toBe(0);
  });

  it('is copied, not changed, when a mean is dragged', () => {
    const mind = mindOf(model(3));
    const before = [...mind.policy.means[1]];
    const dragged = withMean(mind, 1, [2, -1, 0]);
    expect([...dragged.policy.means[1]]).toEqual([2, -1, 0]);
    expect([...mind.policy.means[1]]).toEqual(before);
    expect(dragged.policy.means[0]).toBe(mind.policy.means[0]);
    expect(dragged.dynamics).toBe(mind.dynamics);
  });
});

describe('draws', () => {
  it('are read in the order in which they are written', () => {
    const json = model(4);
    const flat = [
      ...json.initial_belief,
      ...json.transition.flat(2),
      ...json.observation.flatMap((rows) => rows?.flat() ?? Array<number>(3 * json.observations.length).fill(0)),
      json.inverse_temperature,
      ...json.means.flat(),
    ];
    expect(mindsOfDraws(json, { source: '', agent: [flat] })).toEqual([mindOf(json)]);
    expect(mindsOfDraws(json, null)).toEqual([]);
    expect(() => mindsOfDraws(json, { source: '', agent: [flat, flat.slice(1)] })).toThrow(/draws\.agent\[1\]/);
  });

  it('of the world are its own', () => {
    const json = model(5);
    expect(worldOf(json)).toBeNull();
    expect(worldOf({ ...json, world: json })).toEqual(mindOf(json).dynamics);
  });
});
