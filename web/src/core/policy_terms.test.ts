import { describe, expect, it } from 'vitest';
import { branches } from './counterfactual';
import { explainRecord, sentences } from './explain';
import { boundariesOn, regionsOn } from './geometry/regions';
import { contains } from './geometry/polygon';
import { layoutFor } from './geometry/simplex_layout';
import { logPolicyAt, mindIn, mindOf, mindsOfDraws, mostLikely, mostLikelyIn, policyAt } from './model';
import type { ModelJson, PolicyJson } from './payload';
import { contextAfter, contextOfNext, inContext, type DecisionContext } from './policy_terms';
import { factorsOf, randomModel, seeded, simplexPoint } from './testing/random_models';

const policy: PolicyJson = {
  inertia: 0.2,
  lapse: 0.06,
  covariates: [{ name: 'site', categories: ['north', 'south'] }],
  terms: [
    { kind: 'habit', weights: [[0.5, -0.25, -0.25], [-0.5, 0.25, 0.25], [0, 0, 0]] },
    { kind: 'time', weights: [[-1, 2, -1], [1, -2, 1]] },
    { kind: 'time', period: 3, weights: [[0.1, -0.1, 0], [0, 0, 0], [-0.1, 0.1, 0]] },
    { kind: 'missing', weights: [[0.3, -0.3, 0]] },
    { kind: 'group', covariate: 'site', weights: [[9, -9, 0], [-9, 9, 0]] },
  ],
};
const model = (seed: number, terms?: PolicyJson): ModelJson => ({
  ...randomModel(seeded(seed), { S: 3, tests: 1, visits: 1, ends: 1 }),
  ...(terms && { policy: terms }),
});
const none: DecisionContext = { lastAction: null, step: 0, resultMissing: false };

// The formula, term by term.
function expected(json: ModelJson, b: number[], offsets: number[], inertia: number, last: number): number[] {
  const raw = json.means.map((mean, a) =>
    Math.exp(-json.inverse_temperature * mean.reduce((sum, m, s) => sum + (b[s] - m) ** 2, 0) + offsets[a]),
  );
  const total = raw.reduce((x, y) => x + y, 0);
  return raw.map((x, a) => (1 - inertia - 0.06) * (x / total) + (a === last ? inertia : 0) + 0.06 / 3);
}

describe('a policy with terms', () => {
  it.each([
    { context: none, offsets: [-0.9, 1.9, -1], inertia: 0 },
    { context: { lastAction: 0, step: 1, resultMissing: false }, offsets: [1.5, -2.25, 0.75], inertia: 0.2 },
    { context: { lastAction: 1, step: 5, resultMissing: true }, offsets: [0.7, -1.95, 1.25], inertia: 0.2 },
  ])('decides in $context', ({ context, offsets, inertia }) => {
    for (let seed = 1; seed <= 10; ++seed) {
      const json = model(seed, policy);
      const mind = mindOf(json);
      const b = simplexPoint(seeded(seed + 50), 3);
      const found = policyAt(mind.policy, b, context);
      const logs = logPolicyAt(mind.policy, b, context);
      expected(json, b, offsets, inertia, context.lastAction ?? -1).forEach((p, a) => {
        expect(found[a]).toBeCloseTo(p, 13);
        expect(Math.exp(logs[a])).toBeCloseTo(p, 13);
      });
    }
  });

  it('decides by belief alone without a context, and without terms in any', () => {
    const [bare, mind] = [mindOf(model(1)), mindOf(model(1, policy))];
    const b = [0.2, 0.5, 0.3];
    expect(policyAt(mind.policy, b)).toEqual(policyAt(bare.policy, b));
    expect(policyAt(bare.policy, b, contextAfter([{ action: 0, observation: 1 }]))).toEqual(policyAt(bare.policy, b));
    expect(inContext(bare.policy, none)).toBe(bare.policy);
  });

  it('of which only one thing is known leaves the others out', () => {
    const mind = mindOf(model(1, policy));
    expect([...inContext(mind.policy, { lastAction: 0 }).effect!.offsets]).toEqual([0.5, -0.25, -0.25]);
    expect(inContext(mind.policy, { step: 0 }).effect!.keep).toBeCloseTo(0.94, 14);
  });

  it('is read from draws in the order in which it is written', () => {
    const json = model(2, policy);
    const flat = [
      ...json.initial_belief,
      ...json.transition.flat(2),
      ...json.observation.flatMap((rows) => rows?.flat() ?? Array<number>(3 * json.observations.length).fill(0)),
      json.inverse_temperature,
      ...json.means.flat(),
      policy.inertia,
      policy.lapse,
      ...policy.terms.flatMap(({ weights }) => weights.flat()),
    ];
    expect(mindsOfDraws(json, { source: '', agent: [flat] })).toEqual([mindOf(json)]);
    expect(() => mindsOfDraws(json, { source: '', agent: [flat.slice(1)] })).toThrow(/draws\.agent\[0\]/);
  });
});

describe('contexts', () => {
  it('are what came before', () => {
    expect(contextAfter([])).toEqual(none);
    const steps = [{ action: 1, observation: 0 }, { action: 0, observation: -1 }];
    expect(contextAfter(steps)).toEqual({ lastAction: 0, step: 2, resultMissing: true });
    expect(contextOfNext(contextAfter(steps), 1)).toEqual({ lastAction: 1, step: 3, resultMissing: false });
  });

  it('are those of each decision of a record, and of what could have followed it', () => {
    const json = model(3, policy);
    const mind = mindOf(json);
    const steps = [{ action: 0, observation: json.allowed[0].indexOf(true) }, { action: 1, observation: -1 }, { action: 0, observation: -1 }];
    const visits = explainRecord(mind, factorsOf(json), steps);
    visits.forEach((visit, t) => {
      const context = contextAfter(steps.slice(0, t));
      expect(visit.context).toEqual(context);
      policyAt(mind.policy, visit.belief, context).forEach((p, a) => expect(visit.policy[a]).toBeCloseTo(p, 13));
      expect(visit.byBelief).toEqual(policyAt(mind.policy, visit.belief));
      const { unseen } = branches(mind, visit.belief, 1, context);
      const next = { lastAction: 1, step: t + 1, resultMissing: false };
      expect(unseen.policy).toEqual(policyAt(mind.policy, unseen.belief, next));
      expect(unseen.next).toBe(mostLikelyIn(mind.policy, unseen.belief, next));
    });
    expect(sentences(mind.problem, factorsOf(json), visits)[1]).toMatch(/; by belief alone \d/);
  });
});

describe('regions in a context', () => {
  it('leave out what is done whatever is believed', () => {
    const mind = mindOf(model(1, policy));
    const { effect } = mindIn(mind, { lastAction: 0, step: 1 }).policy;
    expect([effect!.keep, ...effect!.floor]).toEqual([1, 0, 0, 0]);
    expect(mindIn(mind, null).policy).toEqual(mind.policy);
  });

  const shares = { ...policy, inertia: 0, lapse: 0.06 };

  it('are where the action is the most likely one there', () => {
    for (let seed = 1; seed <= 10; ++seed) {
      const context = { lastAction: seed % 2, step: seed % 3, resultMissing: false };
      const mind = mindOf(model(seed, shares));
      const moved = mindIn(mind, context).policy;
      const [panel] = layoutFor(mind.problem, 'triangle').panels;
      const random = seeded(seed + 7);
      for (let i = 0; i < 30; ++i) {
        const b = Float64Array.from(simplexPoint(random, 3));
        const best = mostLikely(moved, b);
        expect(best).toBe(mostLikelyIn(mind.policy, b, context));
        const at = panel.project(b);
        expect(regionsOn(panel, moved).find(({ polygon }) => contains(polygon, at))?.action).toBe(best);
      }
      for (const { actions, segment } of boundariesOn(panel, moved)) {
        const b = panel.lift((segment[0][0] + segment[1][0]) / 2, (segment[0][1] + segment[1][1]) / 2)!;
        for (const there of [policyAt(mind.policy, b, context), policyAt(moved, b)]) {
          expect(there[actions[0]]).toBeCloseTo(there[actions[1]], 6);
        }
      }
    }
  });
});
