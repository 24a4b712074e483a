import { describe, expect, it } from 'vitest';
import { explainRecord } from '../explain';
import { beliefsAt, buildHistories, stepsOf } from '../histories';
import { mindOf, transitionOf, update } from '../model';
import { nodeFlags } from '../flags';
import { flagMargins, flagsAt } from '../flag_margins';
import type { RecordsJson, TimeJson } from '../payload';
import { auditOf, below, factorsOf, randomModel, randomRecords, seeded } from '../testing/random_models';
import { drifted, driftIntervals, timesOf } from './drift';
import { exponential } from './exponential';

const time: TimeJson = { unit: 'days', rule: 'rates', typical: 10, wait: null };
const random = seeded(7);
const model = { ...randomModel(random, { S: 3, tests: 1, visits: 1, ends: 1 }), time };
const mind = mindOf(model);
const factors = factorsOf(model);
const plain = randomRecords(random, model, 60, 6);
const records: RecordsJson = { ...plain, gaps: plain.steps.map((codes) => codes.slice(1).map(() => 1 + below(random, 30))) };

// Σ (Qt)ⁿ/n!, which nothing here is so fast that it would not do.
function series(Q: number[], n: number, t: number): number[] {
  let term: number[] = Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
  const sum = [...term];
  for (let k = 1; k < 80; ++k) {
    const next = Array(n * n).fill(0) as number[];
    for (let i = 0; i < n; ++i) for (let j = 0; j < n; ++j) for (let m = 0; m < n; ++m) next[i * n + j] += (term[i * n + m] * Q[m * n + j] * t) / k;
    term = next;
    term.forEach((x, i) => (sum[i] += x));
  }
  return sum;
}

describe('exponentials', () => {
  it('are those of their series', () => {
    for (let trial = 0; trial < 50; ++trial) {
      const n = 2 + (trial % 3);
      const Q = Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 0 : random()));
      for (let s = 0; s < n; ++s) Q[s * n + s] = -Q.slice(s * n, (s + 1) * n).reduce((x, y) => x + y, 0);
      const t = 4 * random();
      const expected = series(Q, n, t);
      exponential(Float64Array.from(Q), n, t).forEach((x, i) => expect(x).toBeCloseTo(expected[i], 11));
    }
  });

  it('stay where no time passes, and are probabilities after any', () => {
    const Q = Float64Array.of(-0.3, 0.3, 0.2, -0.2);
    expect(Array.from(exponential(Q, 2, 0))).toEqual([1, 0, 0, 1]);
    for (const t of [1e-200, 1e-3, 1e3, 1e200]) {
      const rows = exponential(Q, 2, t);
      expect(rows[0] + rows[1]).toBeCloseTo(1, 14);
      expect(Math.min(...rows)).toBeGreaterThanOrEqual(0);
    }
    exponential(Q, 2, 1e9).forEach((x, i) => expect(x).toBeCloseTo(i % 2 ? 0.6 : 0.4, 12));
  });
});

describe('gaps', () => {
  it('make rates of rows: a row says what comes first, a move or the end of a typical gap', () => {
    const over = mind.dynamics.over!;
    const Q = over.ratesOf(0);
    for (let s = 0; s < 3; ++s) {
      const leaving = [0, 1, 2].filter((to) => to !== s).map((to) => Q[s * 3 + to] * 10);
      const total = 1 + leaving.reduce((x, y) => x + y, 0);
      expect(mind.dynamics.T[0][s * 3 + s]).toBeCloseTo(1 / total, 12);
    }
  });

  it('add up: twice seven days are fourteen', () => {
    const [week, two] = [7, 14].map((gap) => transitionOf(mind.dynamics, 0, gap));
    for (let i = 0; i < 3; ++i) {
      for (let j = 0; j < 3; ++j) {
        const sum = [0, 1, 2].reduce((x, k) => x + week[i * 3 + k] * week[k * 3 + j], 0);
        expect(two[i * 3 + j]).toBeCloseTo(sum, 12);
      }
    }
  });

  it('in steps are powers of one, with the action that waits', () => {
    const stepped = mindOf({ ...model, time: { unit: 'days', rule: 'steps', typical: 7, wait: 1 } });
    const [one, wait, three] = [stepped.dynamics.T[0], stepped.dynamics.T[1], transitionOf(stepped.dynamics, 0, 21)];
    const product = (x: ArrayLike<number>, y: ArrayLike<number>) =>
      Array.from({ length: 9 }, (_, at) => [0, 1, 2].reduce((sum, k) => sum + x[3 * Math.floor(at / 3) + k] * y[3 * k + (at % 3)], 0));
    product(product(one, wait), wait).forEach((x, i) => expect(three[i]).toBeCloseTo(x, 12));
    expect(Array.from(transitionOf(stepped.dynamics, 0, 6.9))).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});

describe('records with times', () => {
  const h = buildHistories(records, mind.problem);

  it('believe at every history what its own gaps make of it', () => {
    const beliefs = beliefsAt(h, mind);
    const other = beliefsAt(buildHistories(plain, mind.problem), mind);
    let differs = false;
    records.steps.forEach((_, r) => {
      let belief = mind.dynamics.b1;
      stepsOf(records, r, mind.problem.Z).forEach((step, t) => {
        const node = h.paths[r][t];
        belief.forEach((b, s) => expect(beliefs[node * 3 + s]).toBeCloseTo(b, 12));
        if (!mind.problem.terminal[step.action]) belief = update(mind.dynamics, belief, step.action, step.observation, step.gap).belief;
      });
    });
    for (let i = 0; i < Math.min(beliefs.length, other.length); ++i) differs ||= Math.abs(beliefs[i] - other[i]) > 1e-3;
    expect(differs).toBe(true);
  });

  it('share histories only where gaps are the same', () => {
    const same = { ...records, steps: [records.steps[0], records.steps[0]], gaps: [records.gaps![0], records.gaps![0]] };
    const apart = { ...same, gaps: [records.gaps![0], records.gaps![0].map((gap) => gap + 1)] };
    expect(buildHistories(apart, mind.problem).count).toBeGreaterThan(buildHistories(same, mind.problem).count);
  });

  it('drift from the belief at a visit to what time alone makes of it at the next', () => {
    const r = records.steps.findIndex((codes) => codes.length >= 4);
    const steps = stepsOf(records, r, mind.problem.Z);
    const visits = explainRecord(mind, factors, steps);
    drifted(mind, visits[0].belief, steps[0].action, 0).forEach((b, s) => expect(b).toBeCloseTo(visits[0].belief[s], 12));
    drifted(mind, visits[0].belief, steps[0].action, steps[0].gap!).forEach((b, s) => expect(b).toBeCloseTo(visits[0].move!.predicted[s], 12));
    const times = timesOf(steps)!;
    expect(times).toHaveLength(steps.length);
    expect(times[2]).toBe(steps[0].gap! + steps[1].gap!);
    // One draw that is the model itself: its interval is the belief.
    const moments = [{ visit: 0, since: 1.5 }, { visit: 1, since: 2 }, { visit: 1, since: steps[1].gap! }];
    const sure = driftIntervals([mind], steps, moments)!;
    moments.forEach(({ visit, since }, i) =>
      drifted(mind, visits[visit].belief, steps[visit].action, since).forEach((b, s) => expect(sure[i][s].middle).toBeCloseTo(b, 12)),
    );
  });

  it('have the same flags by margins as by walking', () => {
    const audit = auditOf(model, 1);
    const walked = nodeFlags(h, mind, audit, { nearCertain: 0.6, insignificant: 0.1 });
    const known = flagsAt(flagMargins(h, mind, audit), { nearCertain: 0.6, insignificant: 0.1 });
    expect(known.uninformative).toEqual(walked.uninformative);
    expect(known.belated).toEqual(walked.belated);
    expect(walked.uninformative.some((x) => x === 1)).toBe(true);
    // By the rule itself: no result that could have come after this gap moves the belief as far.
    const beliefs = beliefsAt(h, mind);
    for (let node = 1; node < h.count; ++node) {
      if (!audit.tests[h.action[node]] || h.observation[node] < 0) continue;
      const before = beliefs.slice(h.parent[node] * 3, h.parent[node] * 3 + 3);
      const far = audit.instead[h.action[node]][h.observation[node]].map((z) => {
        const after = update(mind.dynamics, before, h.action[node], z, h.gap[node]).belief;
        return Math.hypot(...Array.from(after, (b, s) => b - before[s]));
      });
      expect(walked.uninformative[node]).toBe(Math.max(...far) < walked.leastMove ? 1 : 0);
    }
  });
});

it('records without times have none', () => {
  expect(timesOf(stepsOf(plain, 0, mind.problem.Z))).toBeNull();
});
