import { describe, expect, it } from 'vitest';
import { flagProbabilities, flagProbabilitiesInPieces, nodeFlags, recordFlags, type FlagOptions } from './flags';
import { beliefsAt, buildHistories, stepsOf, type Step } from './histories';
import { mindOf, mostLikely, policyAt, update, type Mind } from './model';
import type { AuditJson } from './payload';
import { auditOf, randomModel, randomRecords, seeded } from './testing/random_models';

const random = seeded(31);
const shape = { S: 3, tests: 2, visits: 1, ends: 1 };
const model = randomModel(random, shape);
const mind = mindOf(model);
const records = randomRecords(random, model, 600, 6);
const audit = auditOf(model, shape.tests);
const h = buildHistories(records, mind.problem);
const options: FlagOptions = { nearCertain: 0.75, insignificant: 0.5 };
const all = records.steps.map((_, r) => stepsOf(records, r, mind.problem.Z));

function distance(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return Math.hypot(...Array.from(x, (v, i) => v - y[i]));
}

function pathOf(of: Mind, steps: Step[]): Float64Array[] {
  const path = [of.dynamics.b1];
  for (const step of steps) path.push(update(of.dynamics, path[path.length - 1], step.action, step.observation).belief);
  return path;
}

// The rules of docs/audit.md, read record by record, without a tree.
function moveThreshold(of: Mind): number {
  const moves = all.flatMap((steps) => {
    const path = pathOf(of, steps);
    return steps.flatMap((step, t) => (step.observation < 0 ? [] : [distance(path[t], path[t + 1])]));
  });
  const mean = moves.reduce((x, y) => x + y, 0) / moves.length;
  const variance = moves.reduce((sum, x) => sum + (x - mean) ** 2, 0) / moves.length;
  return mean - options.insignificant * Math.sqrt(variance);
}

function slowly(of: Mind, steps: Step[], rules: AuditJson, threshold: number) {
  const path = pathOf(of, steps);
  const leftOut: number[] = [];
  const tests: { visit: number; uninformative: boolean }[] = [];
  let confirmed = -1;
  steps.forEach((step, t) => {
    if (!rules.tests[step.action]) {
      if (confirmed < 0 && rules.tests[mostLikely(of.policy, path[t])]) leftOut.push(t);
      return;
    }
    if (step.observation < 0) return;
    const moved = rules.instead[step.action][step.observation].some(
      (z) => distance(path[t], update(of.dynamics, path[t], step.action, z).belief) >= threshold,
    );
    tests.push({ visit: t, uninformative: !moved });
    if (confirmed < 0 && leftOut.length > 0 && Math.max(...path[t + 1]) >= options.nearCertain) confirmed = t;
  });
  const belated = confirmed >= 0;
  return { belated, leftOut: belated ? leftOut : [], confirmed, tests };
}

describe('flags', () => {
  it('are those that reading every record by the rules gives', () => {
    const flags = nodeFlags(h, mind, audit, options);
    const threshold = moveThreshold(mind);
    expect(flags.leastMove).toBeCloseTo(threshold, 12);
    const seen = { belated: 0, uninformative: 0, tests: 0 };
    all.forEach((steps, r) => {
      const { belated, leftOut, confirmed, tests } = recordFlags(h, flags, audit, records, r);
      const plain = tests.map(({ visit, uninformative }) => ({ visit, uninformative }));
      expect({ belated, leftOut, confirmed, tests: plain }).toEqual(slowly(mind, steps, audit, threshold));
      seen.belated += belated ? 1 : 0;
      seen.tests += tests.length;
      seen.uninformative += tests.filter((t) => t.uninformative).length;
    });
    // Enough of both kinds for the comparison to mean something.
    expect(seen.belated).toBeGreaterThan(20);
    expect(seen.belated).toBeLessThan(580);
    expect(seen.uninformative).toBeGreaterThan(20);
    expect(seen.tests - seen.uninformative).toBeGreaterThan(20);
  });

  it('are the same with beliefs that are there already', () => {
    expect(nodeFlags(h, mind, audit, options, beliefsAt(h, mind))).toEqual(nodeFlags(h, mind, audit, options));
  });

  it('come out of thresholds: nothing is uninformative if every move counts', () => {
    const strict = nodeFlags(h, mind, audit, { nearCertain: 1, insignificant: 10 });
    expect(strict.uninformative.some((x) => x !== 0)).toBe(false);
    expect(strict.confirmed.some((x) => x !== 0)).toBe(false);
  });

  it('of histories the mind calls impossible do not stand', () => {
    const blind = mindOf(model);
    const z = model.allowed[0].indexOf(true);
    blind.dynamics.O[0]!.forEach((_, i, O) => (i % mind.problem.Z === z ? (O[i] = 0) : 0));
    const flags = nodeFlags(h, blind, audit, options);
    expect(flags.impossible).toBeGreaterThan(0);
    expect(h.observation[flags.impossible]).toBe(z);
    expect(flags.uninformative[flags.impossible]).toBe(0);
    expect(Number.isFinite(flags.leastMove)).toBe(true);
    expect(flagProbabilities(h, [blind], audit, options)).toBeNull();
    expect(flagProbabilities(h, [blind, mind], audit, options)?.draws).toBe(1);
  });
});

describe('how sure flags are', () => {
  const draws = Array.from({ length: 12 }, (_, i) => {
    const other = mindOf(randomModel(seeded(100 + i), shape));
    return { ...mind, policy: other.policy, dynamics: i % 2 ? other.dynamics : mind.dynamics };
  });

  it('is the share of draws in which they stand', () => {
    const sure = flagProbabilities(h, draws, audit, options)!;
    const each = draws.map((draw) => nodeFlags(h, draw, audit, options));
    for (let node = 0; node < h.count; ++node) {
      const share = (name: 'belated' | 'uninformative') => each.reduce((sum, f) => sum + f[name][node], 0) / draws.length;
      expect(sure.belated[node]).toBeCloseTo(share('belated'), 6);
      expect(sure.uninformative[node]).toBeCloseTo(share('uninformative'), 6);
    }
  });

  it('counts draws in which a test was clearly likelier than anything else', () => {
    const strict = { ...audit, clearly: 0.2 };
    const sure = flagProbabilities(h, draws, strict, options)!;
    const expected = all.map(() => 0);
    for (const draw of draws) {
      const lead = (belief: Float64Array) => {
        const chances = [...policyAt(draw.policy, belief)];
        return Math.max(...chances.filter((_, a) => audit.tests[a])) - Math.max(...chances.filter((_, a) => !audit.tests[a]));
      };
      all.forEach((steps, r) => {
        const path = pathOf(draw, steps);
        const left = steps.findIndex((step, t) => !audit.tests[step.action] && lead(path[t]) >= 0.2);
        const confirmed = steps.some(
          (step, t) => left >= 0 && t > left && audit.tests[step.action] && step.observation >= 0 && Math.max(...path[t + 1]) >= options.nearCertain,
        );
        if (confirmed) expected[r] += 1 / draws.length;
      });
    }
    records.steps.forEach((_, r) => expect(sure.belated[h.ends[r]]).toBeCloseTo(expected[r], 6));
    const anyhow = flagProbabilities(h, draws, audit, options)!;
    expect(h.ends.some((end) => sure.belated[end] < anyhow.belated[end])).toBe(true);
    expect(h.ends.some((end) => sure.belated[end] > 0)).toBe(true);
  });

  it('is the same in pieces, which report progress and can be stopped', async () => {
    const shares: number[] = [];
    const pieces = await flagProbabilitiesInPieces(h, draws, audit, options, (share) => shares.push(share), undefined, 0);
    expect(pieces).toEqual(flagProbabilities(h, draws, audit, options));
    expect(shares.length).toBeGreaterThan(draws.length);
    expect(shares).toEqual([...shares].sort((x, y) => x - y));
    const stop = new AbortController();
    const stopped = flagProbabilitiesInPieces(h, draws, audit, options, () => stop.abort(), stop.signal, 0);
    expect(await stopped).toBeNull();
  });

  it('takes back what is not certain enough', () => {
    const flags = nodeFlags(h, mind, audit, options);
    const sure = flagProbabilities(h, draws, audit, options)!;
    let taken = 0;
    all.forEach((_, r) => {
      const before = recordFlags(h, flags, audit, records, r);
      const after = recordFlags(h, flags, audit, records, r, sure, 0.6);
      expect(after.belated).toBe(before.belated && sure.belated[h.ends[r]] >= 0.6);
      if (before.belated && !after.belated) {
        ++taken;
        expect(after.leftOut).toEqual([]);
      }
      for (const test of after.tests) if (test.uninformative) expect(test.probability).toBeGreaterThanOrEqual(0.6);
    });
    expect(taken).toBeGreaterThan(0);
  });
});
