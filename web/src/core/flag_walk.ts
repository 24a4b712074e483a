// The audit's criteria at every history, node by node, in pieces small enough to keep a page responsive. As
// explain/audit/node_flags.cpp.
import { fillBeliefs, stepAt, type Histories } from './histories';
import { hasResult, MeasuredTests } from './measured/measured_tests';
import { SELDOM } from './measured/points';
import { MISSING, mostLikely, policyAt, transitionOf, type Mind } from './model';
import type { AuditJson } from './payload';

export interface FlagOptions {
  nearCertain: number; // a belief that counts as a diagnosis
  insignificant: number; // standard deviations below the mean move
}

export interface NodeFlags {
  wanted: Uint8Array; // [node]: a test is the most likely action here
  confirmed: Uint8Array; // [node]: its last step is a test, after which some state is near-certain
  belated: Uint8Array; // [node]: a test was wanted and left out, and a later one confirmed a state
  uninformative: Uint8Array; // [node]: its last step is a test that could not have moved the belief
  leastMove: number; // the Euclidean move of belief from which on it is significant
  impossible: number; // the first history the mind calls impossible, −1 if none; it and what follows it have no flags
}

const PIECE = 1024; // nodes between two pauses

export class FlagWalk {
  private readonly known: boolean;
  private readonly beliefs: Float64Array;
  private readonly missed: Uint8Array; // [node]: a test was wanted and left out on the way here
  private readonly clearlyWanted: Uint8Array; // [node]: … by `audit.clearly`
  private readonly clearlyMissed: Uint8Array;
  readonly clearlyBelated: Uint8Array; // [node], once the walk is done: belated, and the test was clearly wanted
  private readonly arrived: Float64Array;
  private readonly next: Float64Array;
  private readonly flags: NodeFlags;
  private readonly measured: MeasuredTests | null;

  constructor(
    private readonly h: Histories,
    private readonly mind: Mind,
    private readonly audit: AuditJson,
    private readonly options: FlagOptions,
    beliefs: Float64Array | null = null, // those of the mind, if they are there already
  ) {
    const { count } = h;
    const { S } = mind.problem;
    this.known = beliefs !== null;
    this.beliefs = beliefs ?? new Float64Array(count * S);
    this.missed = new Uint8Array(count);
    this.clearlyWanted = new Uint8Array(count);
    this.clearlyMissed = new Uint8Array(count);
    this.clearlyBelated = new Uint8Array(count);
    this.arrived = new Float64Array(S);
    this.next = new Float64Array(S);
    const table = mind.problem.measured;
    this.measured = table ? new MeasuredTests(table, mind.dynamics, audit) : null;
    this.flags = {
      wanted: new Uint8Array(count),
      confirmed: new Uint8Array(count),
      belated: new Uint8Array(count),
      uninformative: new Uint8Array(count),
      leastMove: 0,
      impossible: -1,
    };
  }

  // Yields between pieces; returns the flags.
  *run(): Generator<void, NodeFlags> {
    for (const [begin, end] of this.pieces()) {
      this.believe(begin, end);
      yield;
    }
    yield* this.findLeastMove();
    for (const [begin, end] of this.pieces()) {
      for (let node = Math.max(1, begin); node < end; ++node) this.judge(node);
      yield;
    }
    return this.flags;
  }

  private *pieces(): Generator<[number, number]> {
    for (let begin = 0; begin < this.h.count; begin += PIECE) yield [begin, Math.min(begin + PIECE, this.h.count)];
  }

  private believe(begin: number, end: number): void {
    const { h, mind, flags } = this;
    const S = mind.problem.S;
    if (!this.known) fillBeliefs(h, mind, this.beliefs, begin, end);
    for (let node = begin; node < end; ++node) {
      if (this.isPossible(node)) {
        flags.wanted[node] = this.audit.tests[mostLikely(mind.policy, this.beliefs, node * S)] ? 1 : 0;
        if (flags.wanted[node] !== 0 && this.isClear(node)) this.clearlyWanted[node] = 1;
      } else if (flags.impossible < 0) flags.impossible = node;
    }
  }

  // A test is likelier than anything else by so much.
  private isClear(node: number): boolean {
    const { audit, beliefs, mind } = this;
    const S = mind.problem.S;
    let [test, other] = [0, 0];
    policyAt(mind.policy, beliefs.subarray(node * S, (node + 1) * S)).forEach((p, action) => {
      if (audit.tests[action]) test = Math.max(test, p);
      else other = Math.max(other, p);
    });
    return test - other >= (audit.clearly ?? 0);
  }

  private isPossible(node: number): boolean {
    const S = this.mind.problem.S;
    for (let s = 0; s < S; ++s) if (this.beliefs[node * S + s] !== 0) return true;
    return false;
  }

  // Mean − k·SD of the moves of all recorded visits that have an outcome.
  private *findLeastMove(): Generator<void> {
    const { h, beliefs } = this;
    const S = this.mind.problem.S;
    let [count, sum, squares] = [0, 0, 0];
    for (const [begin, end] of this.pieces()) {
      for (let node = Math.max(1, begin); node < end; ++node) {
        if (h.observation[node] === MISSING || !this.isPossible(node)) continue;
        let square = 0;
        for (let s = 0; s < S; ++s) square += (beliefs[node * S + s] - beliefs[h.parent[node] * S + s]) ** 2;
        const move = Math.sqrt(square);
        const weight = h.passes[node];
        count += weight;
        sum += weight * move;
        squares += weight * move * move;
      }
      yield;
    }
    if (count === 0) return;
    const mean = sum / count;
    this.flags.leastMove = mean - this.options.insignificant * Math.sqrt(Math.max(0, squares / count - mean * mean));
  }

  private judge(node: number): void {
    const { h, flags, missed } = this;
    const S = this.mind.problem.S;
    const parent = h.parent[node];
    const tested = this.audit.tests[h.action[node]];
    missed[node] = missed[parent] !== 0 || (!tested && flags.wanted[parent] !== 0) ? 1 : 0;
    this.clearlyMissed[node] = this.clearlyMissed[parent] !== 0 || (!tested && this.clearlyWanted[parent] !== 0) ? 1 : 0;
    flags.belated[node] = flags.belated[parent];
    this.clearlyBelated[node] = this.clearlyBelated[parent];
    if (!hasResult(this.audit, this.mind.problem.measured, h.action[node], h.observation[node]) || !this.isPossible(node)) return;
    let highest = 0;
    for (let s = 0; s < S; ++s) highest = Math.max(highest, this.beliefs[node * S + s]);
    if (highest >= this.options.nearCertain) {
      flags.confirmed[node] = 1;
      if (missed[parent] !== 0) flags.belated[node] = 1;
      if (this.clearlyMissed[parent] !== 0) this.clearlyBelated[node] = 1;
    }
    const still = this.measured ? this.wouldHardlyMove(node, this.measured) : this.cannotMove(parent, h.action[node], h.observation[node], h.gap[node]);
    flags.uninformative[node] = still ? 1 : 0;
  }

  // Of numbers: neither by these nor, but for a seldom share, by those that could have come.
  private wouldHardlyMove(node: number, measured: MeasuredTests): boolean {
    const { h, beliefs } = this;
    const S = this.mind.problem.S;
    const before = beliefs.subarray(h.parent[node] * S, (h.parent[node] + 1) * S);
    let square = 0;
    for (let s = 0; s < S; ++s) square += (before[s] - beliefs[node * S + s]) ** 2;
    const { leastMove } = this.flags;
    if (Math.sqrt(square) >= leastMove) return false;
    return measured.shareMoved(before, stepAt(h, node), leastMove, SELDOM) <= SELDOM;
  }

  // Whatever the outcome could have been, the belief would have stayed where it was.
  private cannotMove(parent: number, action: number, observation: number, gap: number): boolean {
    const { beliefs, arrived } = this;
    const T = transitionOf(this.mind.dynamics, action, gap);
    const S = this.mind.problem.S;
    for (let s = 0; s < S; ++s) {
      let sum = 0;
      for (let r = 0; r < S; ++r) sum += beliefs[parent * S + r] * T[r * S + s];
      arrived[s] = sum;
    }
    for (const z of this.audit.instead[action][observation]) {
      if (this.moveTo(parent, action, z) >= this.flags.leastMove) return false;
    }
    return true;
  }

  // How far the belief would have moved; an outcome that could not have happened moves nothing.
  private moveTo(parent: number, action: number, z: number): number {
    const { beliefs, arrived, next } = this;
    const { S, Z } = this.mind.problem;
    const O = this.mind.dynamics.O[action];
    if (!O) return -Infinity;
    let total = 0;
    for (let s = 0; s < S; ++s) total += next[s] = arrived[s] * O[s * Z + z];
    if (!(total > 0)) return -Infinity;
    let square = 0;
    for (let s = 0; s < S; ++s) square += (beliefs[parent * S + s] - next[s] / total) ** 2;
    return Math.sqrt(square);
  }
}
