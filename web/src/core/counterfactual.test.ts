import { describe, expect, it } from 'vitest';
import { branches, expectedInformation, ghostPath, withoutEachFactor, type Change } from './counterfactual';
import { stepsOf } from './histories';
import { mindOf, mostLikely, update } from './model';
import { contextAfter } from './policy_terms';
import { factorsOf, randomModel, randomRecords, seeded, simplexPoint } from './testing/random_models';

const first = contextAfter([]);

const random = seeded(21);
const model = randomModel(random, { S: 3, tests: 1, visits: 1, ends: 1 });
const mind = mindOf(model);
const factors = factorsOf(model);
const records = randomRecords(random, model, 30, 6);

function entropy(p: ArrayLike<number>): number {
  return Array.from(p).reduce((sum, x) => sum - (x > 0 ? x * Math.log2(x) : 0), 0);
}

describe('branches of an action', () => {
  it('have chances that sum to one, and beliefs that average to the unseen one', () => {
    const { outcomes, unseen } = branches(mind, mind.dynamics.b1, 0, first);
    expect(outcomes.length).toBe(9);
    expect(outcomes.reduce((sum, b) => sum + b.chance, 0)).toBeCloseTo(1, 12);
    for (let s = 0; s < 3; ++s) {
      expect(outcomes.reduce((sum, b) => sum + b.chance * b.belief[s], 0)).toBeCloseTo(unseen.belief[s], 12);
    }
    for (const branch of outcomes) expect(branch.next).toBe(mostLikely(mind.policy, branch.belief));
  });

  it('tell as much as the uncertainty about the state is expected to fall', () => {
    for (let seed = 1; seed <= 10; ++seed) {
      const { outcomes, unseen, information } = branches(mind, simplexPoint(seeded(seed), 3), 0, first);
      const left = outcomes.reduce((sum, b) => sum + b.chance * entropy(b.belief), 0);
      expect(information).toBeCloseTo(entropy(unseen.belief) - left, 12);
    }
  });

  it('decide if the likeliest next action depends on them', () => {
    for (let seed = 1; seed <= 30; ++seed) {
      const { outcomes, decides } = branches(mind, simplexPoint(seeded(seed), 3), 0, first);
      expect(decides).toBe(new Set(outcomes.map((b) => b.next)).size > 1);
    }
  });

  it('are none after a terminal action, and impossible outcomes are left out', () => {
    const ended = branches(mind, mind.dynamics.b1, 2, first);
    expect([ended.outcomes.length, ended.information]).toEqual([0, 0]);
    const sure = mindOf({ ...model, observation: model.observation.map((rows) => rows?.map((row) => oneHot(row)) ?? null) });
    const { outcomes } = branches(sure, [1, 0, 0], 0, first);
    expect(outcomes.length).toBe(1);
    expect(expectedInformation(sure.problem, sure.dynamics, [1, 0, 0], 0)).toBe(0);
  });
});

// All probability on the likeliest entry of a fixed row, so that the outcome tells nothing.
function oneHot(row: number[]): number[] {
  const first = row.findIndex((p) => p > 0);
  return row.map((_, z) => (z === first ? 1 : 0));
}

describe('a factor that was not read', () => {
  it('gives the average over the results it could have had, by their chances', () => {
    const belief = simplexPoint(seeded(5), 3);
    const { outcomes } = branches(mind, belief, 0, first);
    for (const { observation } of outcomes) {
      const without = withoutEachFactor(mind, factors, belief, { action: 0, observation }, first);
      expect(without.map(({ factor }) => factor)).toEqual([0, 1]);
      for (const { factor, branch } of without) {
        const other = 1 - factor;
        const agreeing = outcomes.filter((b) => factors.level[b.observation][other] === factors.level[observation][other]);
        expect(agreeing.length).toBe(3);
        const chance = agreeing.reduce((sum, b) => sum + b.chance, 0);
        expect(branch.chance).toBeCloseTo(chance, 14);
        for (let s = 0; s < 3; ++s) {
          expect(branch.belief[s]).toBeCloseTo(agreeing.reduce((sum, b) => sum + b.chance * b.belief[s], 0) / chance, 14);
        }
        expect(branch.next).toBe(mostLikely(mind.policy, branch.belief));
      }
    }
  });

  it('is nothing to ask of one factor alone, of no result, or after the end', () => {
    expect(withoutEachFactor(mind, factors, mind.dynamics.b1, { action: 1, observation: 0 }, first)).toEqual([]);
    expect(withoutEachFactor(mind, factors, mind.dynamics.b1, { action: 0, observation: -1 }, first)).toEqual([]);
    expect(withoutEachFactor(mind, factors, mind.dynamics.b1, { action: 2, observation: -1 }, first)).toEqual([]);
  });
});

describe('ghost path', () => {
  const steps = stepsOf(records, records.steps.findIndex((codes) => codes.length >= 5 && codes.length <= 6), mind.problem.Z)
    .filter((step) => !model.terminal[step.action]);

  it('without changes is the record', () => {
    const path = ghostPath(mind, factors, steps, new Map());
    expect(path.length).toBe(steps.length + 1);
    steps.forEach((step, t) => expect(path[t + 1]).toEqual(update(mind.dynamics, path[t], step.action, step.observation).belief));
  });

  it('leaves the record where it is changed, and not before', () => {
    const plain = ghostPath(mind, factors, steps, new Map());
    const change: Change = { kind: 'action', action: 0, observation: 7 };
    const path = ghostPath(mind, factors, steps, new Map([[2, change]]));
    expect(path.slice(0, 3)).toEqual(plain.slice(0, 3));
    expect(path[3]).toEqual(update(mind.dynamics, plain[2], 0, 7).belief);
    expect(path.length).toBe(plain.length);
  });

  it('unseen moves by time alone; another outcome keeps the action', () => {
    const unseen = ghostPath(mind, factors, steps, new Map<number, Change>([[0, { kind: 'unseen' }]]));
    expect(unseen[1]).toEqual(update(mind.dynamics, mind.dynamics.b1, steps[0].action, -1).belief);
    const z = model.allowed[steps[0].action].lastIndexOf(true);
    const other = ghostPath(mind, factors, steps, new Map<number, Change>([[0, { kind: 'outcome', observation: z }]]));
    expect(other[1]).toEqual(update(mind.dynamics, mind.dynamics.b1, steps[0].action, z).belief);
  });

  it('can leave one factor of a result unread, and goes on from there', () => {
    const changes = new Map<number, Change>([[0, { kind: 'action', action: 0, observation: 5, unread: [1] }]]);
    const path = ghostPath(mind, factors, steps, changes);
    const [, branch] = withoutEachFactor(mind, factors, mind.dynamics.b1, { action: 0, observation: 5 }, first);
    expect(path[1]).toEqual(branch.branch.belief);
    expect(path[2]).toEqual(update(mind.dynamics, path[1], steps[1].action, steps[1].observation).belief);
  });

  it('ends at a terminal action and before an impossible outcome', () => {
    const ended = new Map<number, Change>([[1, { kind: 'action', action: 2, observation: -1 }]]);
    expect(ghostPath(mind, factors, steps, ended).length).toBe(2);
    const impossible = new Map<number, Change>([[1, { kind: 'action', action: 0, observation: 0 }]]);
    expect(ghostPath(mind, factors, steps, impossible).length).toBe(2);
  });
});
