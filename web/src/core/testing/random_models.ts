// Models and records for tests, by seed. Not part of the page.
import type { AuditJson, FactorsJson, ModelJson, RecordsJson } from '../payload';

export type Random = () => number; // uniform in [0, 1)

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function below(random: Random, n: number): number {
  return Math.floor(random() * n);
}

// A point of the simplex, uniformly.
export function simplexPoint(random: Random, n: number): number[] {
  const raw = Array.from({ length: n }, () => -Math.log(1 - random()));
  const total = raw.reduce((x, y) => x + y, 0);
  return raw.map((x) => x / total);
}

export interface Shape {
  S: number;
  tests: number; // actions that measure both factors
  visits: number; // actions that measure the first factor alone
  ends: number; // terminal actions
  levels?: number; // of each of the two factors
}

// Outcomes are pairs of levels; the second factor's level 0 means "not measured".
export function randomModel(random: Random, { S, tests, visits, ends, levels = 3 }: Shape): ModelJson {
  const names = (letter: string, n: number) => Array.from({ length: n }, (_, i) => `${letter}${i}`);
  const A = tests + visits + ends;
  const Z = levels * (levels + 1);
  const terminal = Array.from({ length: A }, (_, a) => a >= tests + visits);
  const allowed = terminal.map((ended, a) =>
    Array.from({ length: Z }, (_, z) => !ended && (a < tests ? z % (levels + 1) > 0 : z % (levels + 1) === 0)),
  );
  const observation = allowed.map((row, a) =>
    terminal[a] ? null : Array.from({ length: S }, () => spread(random, row)),
  );
  return {
    states: names('s', S),
    actions: names('a', A),
    observations: names('z', Z),
    terminal,
    allowed,
    initial_belief: simplexPoint(random, S),
    transition: terminal.map(() => Array.from({ length: S }, () => simplexPoint(random, S))),
    observation,
    inverse_temperature: 1 + 9 * random(),
    means: terminal.map(() => simplexPoint(random, S).map((x) => 1 / S + 1.5 * (x - 1 / S))),
    world: null,
  };
}

function spread(random: Random, allowed: boolean[]): number[] {
  const points = simplexPoint(random, allowed.filter(Boolean).length);
  return allowed.map((can) => (can ? (points.pop() ?? 0) : 0));
}

export function factorsOf(model: ModelJson, levels = 3): FactorsJson {
  const level = model.observations.map((_, z) => [Math.floor(z / (levels + 1)), z % (levels + 1)]);
  return {
    names: ['score', 'scan'],
    levels: [
      Array.from({ length: levels }, (_, i) => `l${i}`),
      Array.from({ length: levels + 1 }, (_, i) => (i === 0 ? 'not done' : `m${i}`)),
    ],
    level,
    measured: model.allowed.map((row) =>
      [0, 1].map((k) => new Set(level.filter((_, z) => row[z]).map((l) => l[k])).size > 1),
    ),
  };
}

// What a test could have shown instead: other levels of the second factor.
export function auditOf(model: ModelJson, tests: number, levels = 3): AuditJson {
  const score = (z: number) => Math.floor(z / (levels + 1));
  return {
    tests: model.actions.map((_, a) => a < tests),
    instead: model.actions.map((_, a) =>
      model.observations.map((__, z) =>
        a < tests && model.allowed[a][z]
          ? model.observations.map((___, other) => other).filter((o) => model.allowed[a][o] && score(o) === score(z))
          : [],
      ),
    ),
    no_belated: '',
    no_uninformative: '',
    near_certain: 0.9,
    insignificant: 0.5,
    least_move: 0,
    unlikely: [],
    test_values: [],
  };
}

// Steps drawn evenly; some outcomes are missing, some records end with a terminal action.
export function randomRecords(random: Random, model: ModelJson, count: number, longest: number): RecordsJson {
  const Z = model.observations.length;
  const choices = model.allowed.map((row) => row.map((_, z) => z).filter((z) => row[z]));
  const running = model.actions.map((_, a) => a).filter((a) => !model.terminal[a]);
  const ended = model.actions.map((_, a) => a).filter((a) => model.terminal[a]);
  const steps = Array.from({ length: count }, () => {
    const codes = Array.from({ length: 1 + below(random, longest) }, () => {
      const a = running[below(random, running.length)];
      const z = random() < 0.1 ? -1 : choices[a][below(random, choices[a].length)];
      return a * (Z + 1) + z + 1;
    });
    if (ended.length > 0 && random() < 0.5) codes.push(ended[below(random, ended.length)] * (Z + 1));
    return codes;
  });
  return { steps, ids: null, visits: null, groups: null, sampled: false };
}
