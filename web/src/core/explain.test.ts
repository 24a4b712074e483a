import { describe, expect, it } from 'vitest';
import { beliefMove, logOdds } from './attribution';
import { explainRecord, sentences } from './explain';
import { stepsOf } from './histories';
import { mindOf, mostLikely, type Mind, type Policy } from './model';
import { nearestBoundary } from './nearest_boundary';
import type { FactorsJson } from './payload';
import { factorsOf, randomModel, randomRecords, seeded, simplexPoint } from './testing/random_models';

describe('attribution', () => {
  it('adds up: time and evidence to the move, factors to the evidence', () => {
    for (let seed = 1; seed <= 20; ++seed) {
      const random = seeded(seed);
      const model = randomModel(random, { S: 3, tests: 1, visits: 1, ends: 0 });
      const move = beliefMove(mindOf(model), factorsOf(model), simplexPoint(random, 3), { action: 0, observation: 6 });
      expect(move.factors.map((f) => f.factor)).toEqual([0, 1]);
      for (const part of ['belief', 'logOdds'] as const) {
        for (let s = 0; s < 3; ++s) {
          expect(move.time[part][s] + move.evidence[part][s]).toBeCloseTo(move.total[part][s], 12);
          const factors = move.factors.reduce((sum, f) => sum + f.shift[part][s], 0);
          expect(factors).toBeCloseTo(move.evidence[part][s], 12);
        }
      }
    }
  });

  it('is the average over both orders in which two factors can be seen', () => {
    const random = seeded(3);
    const model = randomModel(random, { S: 2, tests: 1, visits: 0, ends: 0, levels: 2 });
    const mind = mindOf(model);
    const z = 4; // score l1, scan m1
    const move = beliefMove(mind, factorsOf(model, 2), [0.3, 0.7], { action: 0, observation: z });
    const O = model.observation[0]!;
    const after = (outcomes: number[]) => {
      const joint = [0, 1].map((s) => move.predicted[s] * outcomes.reduce((sum, o) => sum + O[s][o], 0));
      return joint[0] / (joint[0] + joint[1]);
    };
    const score = after([4, 5]); // the score alone: whatever the scan showed
    const scan = after([1, 4]);
    const both = after([4]);
    const ofScore = 0.5 * (score - move.predicted[0]) + 0.5 * (both - scan);
    expect(move.factors[0].shift.belief[0]).toBeCloseTo(ofScore, 14);
  });

  it('of three factors is the average over all six orders', () => {
    const random = seeded(8);
    const observations = Array.from({ length: 8 }, (_, z) => `z${z}`);
    const mind = mindOf({
      ...randomModel(random, { S: 3, tests: 1, visits: 0, ends: 0 }),
      observations,
      allowed: [observations.map(() => true)],
      observation: [[0, 1, 2].map(() => simplexPoint(random, 8))],
    });
    const level = observations.map((_, z) => [z >> 2, (z >> 1) & 1, z & 1]);
    const levels = [0, 1, 2].map(() => ['low', 'high']);
    const factors = { names: ['x', 'y', 'w'], levels, level, measured: [[true, true, true]] };
    const seen = 5;
    const move = beliefMove(mind, factors, [0.2, 0.3, 0.5], { action: 0, observation: seen });
    const beliefGiven = (known: number[]) => {
      const joint = Array.from(move.predicted, (b, s) =>
        observations.reduce((sum, _, z) => {
          const agrees = known.every((k) => level[z][k] === level[seen][k]);
          return sum + (agrees ? b * mind.dynamics.O[0]![s * 8 + z] : 0);
        }, 0),
      );
      const total = joint.reduce((x, y) => x + y, 0);
      return joint.map((x) => x / total);
    };
    const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for (const { factor, shift } of move.factors) {
      for (let s = 0; s < 3; ++s) {
        const gains = orders.map((order) => {
          const before = order.slice(0, order.indexOf(factor));
          return beliefGiven([...before, factor])[s] - beliefGiven(before)[s];
        });
        expect(shift.belief[s]).toBeCloseTo(gains.reduce((x, y) => x + y, 0) / 6, 13);
      }
    }
  });

  it('has no log-odds where a belief is certain, and never an infinite number', () => {
    const model = randomModel(seeded(4), { S: 2, tests: 1, visits: 0, ends: 0, levels: 2 });
    model.transition[0] = [
      [1, 0],
      [0, 1],
    ];
    const move = beliefMove(mindOf(model), factorsOf(model, 2), [1, 0], { action: 0, observation: 4 });
    expect([...move.total.logOdds]).toEqual([NaN, NaN]);
    expect([...move.total.belief]).toEqual([0, 0]);
    expect([...logOdds(Float64Array.of(1, 0))]).toEqual([Infinity, -Infinity]);
  });

  it('is empty where the outcome is impossible', () => {
    const model = randomModel(seeded(5), { S: 2, tests: 1, visits: 0, ends: 0, levels: 2 });
    const move = beliefMove(mindOf(model), factorsOf(model, 2), [0.5, 0.5], { action: 0, observation: 0 });
    expect(move.chance).toBe(0);
    expect(move.after.length).toBe(0);
    expect(explainRecord(mindOf(model), factorsOf(model, 2), [{ action: 0, observation: 0 }, { action: 0, observation: 4 }]).length).toBe(1);
  });
});

describe('nearest boundary', () => {
  it('is the middle between two means on a line', () => {
    const policy = { eta: 3, means: [Float64Array.of(0.9, 0.1), Float64Array.of(0.5, 0.5)] };
    const found = nearestBoundary(policy, [0.8, 0.2]);
    expect(found?.action).toBe(1);
    expect(found?.shift[0]).toBeCloseTo(-0.1, 14);
    expect(found?.distance).toBeCloseTo(0.1 * Math.SQRT2, 14);
  });

  it('does not exist if one action is the likeliest everywhere, or all are equally likely', () => {
    const far = { eta: 3, means: [Float64Array.of(0.5, 0.5), Float64Array.of(3, -2)] };
    expect(nearestBoundary(far, [0.8, 0.2])).toBeNull();
    expect(nearestBoundary({ eta: 0, means: [Float64Array.of(0.9, 0.1), Float64Array.of(0.5, 0.5)] }, [0.8, 0.2])).toBeNull();
    expect(nearestBoundary({ eta: 1, means: [Float64Array.of(1, 0), Float64Array.of(1, 0)] }, [0.8, 0.2])).toBeNull();
  });

  it('is the nearest point of a fine grid at which another action is likelier', () => {
    const grid = 200;
    let found = 0;
    for (let seed = 1; seed <= 30; ++seed) {
      const random = seeded(seed);
      const policy: Policy = { eta: 2, means: Array.from({ length: 4 }, () => Float64Array.from(simplexPoint(random, 3))) };
      // Near the edges, where the straight way would often leave the simplex.
      const raw = simplexPoint(random, 3).map((x) => x ** 4);
      const belief = raw.map((x) => x / raw.reduce((sum, y) => sum + y, 0));
      const own = mostLikely(policy, belief);
      let nearest = Infinity;
      for (let i = 0; i <= grid; ++i) {
        for (let j = 0; i + j <= grid; ++j) {
          const point = [i / grid, j / grid, (grid - i - j) / grid];
          if (mostLikely(policy, point) === own) continue;
          nearest = Math.min(nearest, Math.hypot(...point.map((x, s) => x - belief[s])));
        }
      }
      const boundary = nearestBoundary(policy, belief);
      expect(boundary !== null).toBe(Number.isFinite(nearest));
      if (!boundary) continue;
      ++found;
      expect(boundary.distance).toBeLessThanOrEqual(nearest + 1e-12);
      expect(Math.abs(boundary.distance - nearest)).toBeLessThan(2 / grid);
      boundary.shift.forEach((d, s) => expect(belief[s] + d).toBeGreaterThanOrEqual(-1e-12));
    }
    expect(found).toBeGreaterThan(12);
  });
});

describe('a record explained', () => {
  const random = seeded(11);
  const model = randomModel(random, { S: 3, tests: 1, visits: 1, ends: 1 });
  const records = randomRecords(random, model, 50, 5);
  const mind = mindOf(model);
  const factors = factorsOf(model);

  it('says how surprising what was done is', () => {
    records.steps.forEach((_, r) => {
      for (const visit of explainRecord(mind, factors, stepsOf(records, r, mind.problem.Z))) {
        expect(visit.policy.reduce((x, y) => x + y)).toBeCloseTo(1, 12);
        expect(2 ** -visit.surprise).toBeCloseTo(visit.probability, 12);
        expect(visit.region).toBe(mostLikely(mind.policy, visit.belief));
        expect(visit.tail).toBeGreaterThanOrEqual(visit.probability);
        if (visit.step.action === visit.region) expect(visit.tail).toBeCloseTo(1, 12);
        expect(visit.move === null).toBe(model.terminal[visit.step.action]);
      }
    });
  });

  it('does not change when visits are appended', () => {
    const steps = stepsOf(records, records.steps.findIndex((codes) => codes.length >= 5), mind.problem.Z);
    expect(explainRecord(mind, factors, steps).slice(0, 3)).toEqual(explainRecord(mind, factors, steps.slice(0, 3)));
  });
});

describe('sentences', () => {
  const certain: Mind = mindOf({
    states: ['healthy', 'ill'],
    actions: ['wait', 'stop'],
    observations: ['good', 'bad'],
    terminal: [false, true],
    allowed: [
      [true, true],
      [false, false],
    ],
    initial_belief: [0.625, 0.375],
    transition: [
      [
        [1, 0],
        [0, 1],
      ],
      [
        [1, 0],
        [0, 1],
      ],
    ],
    observation: [
      [
        [0.8, 0.2],
        [0.4, 0.6],
      ],
      null,
    ],
    inverse_temperature: 5,
    means: [
      [1, 0],
      [0, 1],
    ],
    world: null,
  });
  const factors: FactorsJson = {
    names: ['outcome'],
    levels: [['good', 'bad']],
    level: [[0], [1]],
    measured: [[true], [false]],
  };

  it('tell the first belief, what changed it, and what was done', () => {
    const steps = [
      { action: 0, observation: 1 },
      { action: 0, observation: -1 },
      { action: 0, observation: 0 },
    ];
    const words = sentences(certain.problem, factors, explainRecord(certain, factors, steps));
    expect(words).toEqual([
      'At first the belief is healthy 62% and ill 38%; wait was more likely than not (92%), and was chosen.',
      'After bad, the belief in healthy fell from 62% to 36%; stop was more likely than not (95%), but wait was chosen (5%).',
      'Without a result, the belief hardly moved (ill 64%); stop was more likely than not (95%), but wait was chosen (5%).',
    ]);
  });

  it('credit time with what the passing of time did', () => {
    const changing = (positiveIfIll: number) => mindOf({
      states: ['well', 'ill'], actions: ['wait'], observations: ['negative', 'positive'], terminal: [false], allowed: [[true, true]],
      initial_belief: [0.6, 0.4], transition: [[[0.75, 0.25], [0, 1]]], inverse_temperature: 1, means: [[0.5, 0.5]], world: null,
      observation: [[[positiveIfIll, 1 - positiveIfIll], [1 - positiveIfIll, positiveIfIll]]],
    });
    const results: FactorsJson = { names: ['outcome'], levels: [['negative', 'positive']], level: [[0], [1]], measured: [[true]] };
    const second = (positiveIfIll: number, observation: number) => {
      const mind = changing(positiveIfIll);
      return sentences(mind.problem, results, explainRecord(mind, results, [{ action: 0, observation }, { action: 0, observation: 0 }]))[1].split(';')[0];
    };
    expect(second(0.55, 1)).toBe('The belief in well fell from 60% to 40%: −15 points by the passing of time, −5 by positive');
    expect(second(0.5, 1)).toBe('With time, the belief in well fell from 60% to 45%, which positive hardly changed');
    expect(second(0.647, 0)).toBe('The belief hardly moved (well 60%): −15 points by the passing of time, +15 by negative');
  });
});
