import { expect, test } from 'vitest';
import { countBelow, countFrom, flagMargins, flagsAt, leastMoveOf, sortedAtEnds } from './flag_margins';
import { nodeFlags, recordFlags } from './flags';
import { buildHistories, encodeStep } from './histories';
import { mindOf } from './model';
import type { AuditJson, ModelJson, RecordsJson } from './payload';

// A small generator with a fixed seed (mulberry32).
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function row(length: number, next: () => number): number[] {
  const raw = Array.from({ length }, () => next() + 0.02);
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((x) => x / sum);
}

// Two states; action 1 is a test with results 0 and 1, action 0 sees nothing (result 2).
function example(seed: number): { model: ModelJson; audit: AuditJson; records: RecordsJson } {
  const next = random(seed);
  const model: ModelJson = {
    states: ['well', 'ill'],
    actions: ['wait', 'test'],
    observations: ['negative', 'positive', 'none'],
    terminal: [false, false],
    allowed: [[false, false, true], [true, true, false]],
    initial_belief: row(2, next),
    transition: [0, 1].map(() => [row(2, next), row(2, next)]),
    observation: [
      [[0, 0, 1], [0, 0, 1]],
      [[...row(2, next), 0], [...row(2, next), 0]],
    ],
    inverse_temperature: 3,
    means: [[0.9, 0.1], [0.4, 0.6]],
    world: null,
  };
  const steps = Array.from({ length: 60 }, () =>
    Array.from({ length: 1 + Math.floor(next() * 6) }, () => {
      const action = next() < 0.5 ? 0 : 1;
      const missing = next() < 0.15;
      return encodeStep({ action, observation: missing ? -1 : action === 0 ? 2 : next() < 0.5 ? 0 : 1 }, 3);
    }),
  );
  const audit: AuditJson = {
    tests: [false, true],
    instead: [[[], [], []], [[0, 1], [0, 1], []]],
    no_belated: '', no_uninformative: '',
    near_certain: 0.9, insignificant: 0.5, least_move: 0,
    unlikely: [], test_values: [],
  };
  return { model, audit, records: { steps, ids: null, visits: null, groups: null, sampled: false } };
}

test('CountsAtEveryThresholdAreThoseOfTheRuleItself', () => {
  let belatedSeen = 0;
  let uninformativeSeen = 0;
  for (const seed of [1, 2, 3, 4, 5]) {
    const { model, audit, records } = example(seed);
    // In the last, some results that were recorded cannot happen.
    if (seed === 5) model.observation[1] = [[1, 0, 0], [1, 0, 0]];
    const mind = mindOf(model);
    const h = buildHistories(records, mind.problem);
    const margins = flagMargins(h, mind, audit);
    for (const [nearCertain, insignificant] of [[0.5, 0], [0.6, 0.3], [0.75, 0.5], [0.9, 1]]) {
      const flags = nodeFlags(h, mind, audit, { nearCertain, insignificant });
      const of = records.steps.map((_, r) => recordFlags(h, flags, audit, records, r));
      const belated = of.filter((record) => record.belated).length;
      const uninformative = of.filter((record) => record.tests.some((one) => one.uninformative)).length;
      expect(countFrom(sortedAtEnds(h, margins.sureness), nearCertain)).toBe(belated);
      const least = leastMoveOf(margins, insignificant);
      expect(least).toBeCloseTo(flags.leastMove, 12);
      expect(countBelow(sortedAtEnds(h, margins.leastReach), least)).toBe(uninformative);
      const quick = flagsAt(margins, { nearCertain, insignificant });
      for (const name of ['wanted', 'confirmed', 'belated', 'uninformative'] as const) expect(quick[name]).toEqual(flags[name]);
      belatedSeen += belated;
      uninformativeSeen += uninformative;
    }
  }
  // Otherwise the comparison would be one of zeros.
  expect(belatedSeen).toBeGreaterThan(20);
  expect(uninformativeSeen).toBeGreaterThan(20);
});

test('CountsByBinarySearchAreCounts', () => {
  const values = Float64Array.from([1, 2, 2, 3]);
  expect([0, 2, 2.5, 4].map((x) => countBelow(values, x))).toEqual([0, 1, 3, 4]);
  expect([0, 2, 2.5, 4].map((x) => countFrom(values, x))).toEqual([4, 3, 1, 0]);
});
