// How far each history is from every threshold of the audit. One walk over the tree answers "what if the threshold were
// another one" for all thresholds at once, so sliders and sensitivity curves need no second walk. Flags at one threshold
// are the same as nodeFlags gives (flag_margins.test.ts).
import type { FlagOptions, NodeFlags } from './flag_walk';
import { beliefsAt, stepAt, type Histories, type Step } from './histories';
import { hasResult, MeasuredTests } from './measured/measured_tests';
import { mostLikely, updateInto, type Mind } from './model';
import type { AuditJson } from './payload';

export interface FlagMargins {
  wanted: Uint8Array; // [node]: a test is the most likely action here
  // [node]: the firmest belief after its last step, a test with a result; −1: it is none.
  firmness: Float64Array;
  // [node]: the firmest belief that a test gave on the way here after an earlier one was left out; −1: there was none.
  // A record is belated at every threshold up to this.
  sureness: Float64Array;
  // [node]: how far the last test could have moved the belief, whatever its result (of numbers: but for a seldom share of results);
  // NaN: the last step is no such test.
  reach: Float64Array;
  // [node]: the smallest reach on the way here; Infinity: no test.
  leastReach: Float64Array;
  meanMove: number;
  sdMove: number;
}

export function leastMoveOf(margins: FlagMargins, insignificant: number): number {
  return margins.meanMove - insignificant * margins.sdMove;
}

function distance(x: Float64Array, y: Float64Array): number {
  let square = 0;
  for (let s = 0; s < x.length; ++s) square += (x[s] - y[s]) ** 2;
  return Math.sqrt(square);
}

// Histories that the mind calls impossible have a belief of zeros, and no flags.
const isPossible = (belief: Float64Array) => belief.some((x) => x !== 0);

// Over results that can happen; −Infinity: none can.
function farthest(mind: Mind, before: Float64Array, { action, gap }: Step, instead: number[], after: Float64Array): number {
  let far = -Infinity;
  for (const z of instead) {
    const chance = updateInto(mind.dynamics, before, 0, action, z, after, 0, gap);
    if (chance > 0) far = Math.max(far, distance(before, after));
  }
  return far;
}

// Mean and standard deviation of the moves of all recorded visits that have a result.
function moves(h: Histories, beliefAt: (node: number) => Float64Array): { mean: number; sd: number } {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let node = 1; node < h.count; ++node) {
    if (h.observation[node] < 0 || !isPossible(beliefAt(node))) continue;
    const move = distance(beliefAt(node), beliefAt(h.parent[node]));
    count += h.passes[node];
    sum += h.passes[node] * move;
    squares += h.passes[node] * move * move;
  }
  if (count === 0) return { mean: 0, sd: 0 };
  const mean = sum / count;
  return { mean, sd: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

export function flagMargins(h: Histories, mind: Mind, audit: AuditJson): FlagMargins {
  const { S } = mind.problem;
  const beliefs = beliefsAt(h, mind);
  const beliefAt = (node: number) => beliefs.subarray(node * S, (node + 1) * S);
  const { mean, sd } = moves(h, beliefAt);
  const margins: FlagMargins = {
    wanted: new Uint8Array(h.count),
    firmness: new Float64Array(h.count).fill(-1),
    sureness: new Float64Array(h.count).fill(-1),
    reach: new Float64Array(h.count).fill(NaN),
    leastReach: new Float64Array(h.count).fill(Infinity),
    meanMove: mean,
    sdMove: sd,
  };
  const after = new Float64Array(S);
  const table = mind.problem.measured;
  const measured = table ? new MeasuredTests(table, mind.dynamics, audit) : null;
  const missed = new Uint8Array(h.count); // a test was wanted and left out on the way here
  for (let node = 0; node < h.count; ++node) {
    if (!isPossible(beliefAt(node))) continue;
    margins.wanted[node] = audit.tests[mostLikely(mind.policy, beliefs, node * S)] ? 1 : 0;
  }
  for (let node = 1; node < h.count; ++node) {
    const parent = h.parent[node];
    const action = h.action[node];
    margins.sureness[node] = margins.sureness[parent];
    margins.leastReach[node] = margins.leastReach[parent];
    missed[node] = missed[parent];
    if (!audit.tests[action]) {
      if (margins.wanted[parent]) missed[node] = 1;
      continue;
    }
    const observation = h.observation[node];
    if (!hasResult(audit, mind.problem.measured, action, observation) || !isPossible(beliefAt(node))) continue;
    margins.firmness[node] = beliefAt(node).reduce((x, y) => Math.max(x, y), -1);
    if (missed[parent]) margins.sureness[node] = Math.max(margins.sureness[node], margins.firmness[node]);
    margins.reach[node] = measured
      ? Math.max(distance(beliefAt(parent), beliefAt(node)), measured.reach(beliefAt(parent), stepAt(h, node)))
      : farthest(mind, beliefAt(parent), stepAt(h, node), audit.instead[action][observation], after);
    margins.leastReach[node] = Math.min(margins.leastReach[node], margins.reach[node]);
  }
  return margins;
}

// The flags at one setting of the thresholds: a few comparisons for each history, where the rule itself is a walk.
export function flagsAt(margins: FlagMargins, options: FlagOptions): NodeFlags {
  const leastMove = leastMoveOf(margins, options.insignificant);
  const { wanted, firmness, sureness, reach } = margins;
  return {
    wanted,
    confirmed: Uint8Array.from(firmness, (x) => (x >= options.nearCertain ? 1 : 0)),
    belated: Uint8Array.from(sureness, (x) => (x >= options.nearCertain ? 1 : 0)),
    uninformative: Uint8Array.from(reach, (x) => (x < leastMove ? 1 : 0)),
    leastMove,
    impossible: -1,
  };
}

// How many of `sorted` (upwards) are at least x, and how many are below it.
export function countFrom(sorted: Float64Array, x: number): number {
  return sorted.length - countBelow(sorted, x);
}

export function countBelow(sorted: Float64Array, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A value for each record, by where it ends, sorted upwards: what curves count.
export function sortedAtEnds(h: Histories, perNode: Float64Array): Float64Array {
  return Float64Array.from(h.ends, (node) => perNode[node]).sort();
}
