// Patients who share a history share beliefs, so records are held as a prefix tree: a node is a history (a1 z1 … at zt), and
// everything that depends on the history alone is computed once for each node. A parent always precedes its children.
import type { Measured } from './measured/outcomes';
import type { RecordsJson } from './payload';
import { MISSING, updateInto, type Mind, type Problem } from './model';

export interface Step {
  action: number;
  observation: number; // MISSING: not recorded
  gap?: number; // the time to the next visit, at which that was observed; only where visits have times, 0: there is none
}

export interface Histories {
  count: number;
  A: number;
  Z: number;
  parent: Int32Array; // [node]; −1 for the root, node 0
  action: Int32Array; // [node]: the last step of the history; −1 at the root
  observation: Int32Array;
  gap: Float64Array; // [node]: the time that passed; 0 where visits have no times
  depth: Int32Array;
  passes: Int32Array; // [node]: records whose history begins so
  actionCounts: Int32Array; // [node·A + a]: how often the action was taken at this history
  paths: Int32Array[]; // [record]: the node before each step
  ends: Int32Array; // [record]: the node after the last outcome
  measured?: Measured; // where outcomes are
}

export function decodeStep(code: number, Z: number): Step {
  const action = Math.floor(code / (Z + 1));
  return { action, observation: code - action * (Z + 1) - 1 };
}

export function encodeStep(step: Step, Z: number): number {
  return step.action * (Z + 1) + step.observation + 1;
}

export function buildHistories(records: RecordsJson, problem: Problem): Histories {
  const builder = new TreeBuilder(problem.A * (problem.Z + 1));
  const { A, Z } = problem;
  const visits = records.steps.reduce((sum, codes) => sum + codes.length, 0);
  const counts = { node: new Growing(visits), action: new Growing(visits) };
  const paths: Int32Array[] = [];
  const ends = new Int32Array(records.steps.length);
  records.steps.forEach((codes, r) => {
    const path = new Int32Array(codes.length);
    let node = 0;
    builder.pass(0);
    for (let t = 0; t < codes.length; ++t) {
      path[t] = node;
      const code = codes[t];
      counts.node.push(node);
      counts.action.push(Math.floor(code / (Z + 1)));
      // A last step without an outcome leads nowhere: nothing is decided or observed there.
      if (t + 1 === codes.length && code % (Z + 1) === 0) break;
      node = builder.child(node, code, records.gaps?.[r]?.[t] ?? 0);
      builder.pass(node);
    }
    paths.push(path);
    ends[r] = node;
  });
  return { ...builder.finish(A, Z, counts), A, Z, paths, ends, measured: problem.measured };
}

// The belief before whatever is decided at each history: [node·S + s]. Histories the mind calls impossible, and what follows
// them, are left at zero.
export function beliefsAt(h: Histories, mind: Mind): Float64Array {
  const beliefs = new Float64Array(h.count * mind.problem.S);
  fillBeliefs(h, mind, beliefs, 0, h.count);
  return beliefs;
}

// The same for some nodes, once those before them are there; returns the first impossible one, −1 if there is none.
export function fillBeliefs(h: Histories, mind: Mind, beliefs: Float64Array, begin: number, end: number): number {
  const S = mind.problem.S;
  let impossible = -1;
  if (begin === 0 && h.count > 0) beliefs.set(mind.dynamics.b1);
  for (let node = Math.max(1, begin); node < end; ++node) {
    const chance = updateInto(
      mind.dynamics,
      beliefs,
      h.parent[node] * S,
      h.action[node],
      h.observation[node],
      beliefs,
      node * S,
      h.gap[node],
    );
    if (!(chance > 0) && impossible < 0) impossible = node;
  }
  return impossible;
}

// The last step of a history.
export const stepAt = (h: Histories, node: number): Step => ({ action: h.action[node], observation: h.observation[node], gap: h.gap[node] });

// How often something was decided at a history.
export function decisionsAt(h: Histories, node: number): number {
  let count = 0;
  for (let a = 0; a < h.A; ++a) count += h.actionCounts[node * h.A + a];
  return count;
}

export function stepsOf(records: RecordsJson, record: number, Z: number): Step[] {
  const gaps = records.gaps?.[record];
  return records.steps[record].map((code, t) => (gaps ? { ...decodeStep(code, Z), gap: gaps[t] ?? 0 } : decodeStep(code, Z)));
}

class Growing {
  length = 0;
  values: Int32Array;

  constructor(expected = 1024) {
    this.values = new Int32Array(Math.max(1, expected));
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
}

class TreeBuilder {
  private readonly parent = new Growing();
  private readonly code = new Growing();
  private readonly gap = new Growing(); // places in `gaps`
  private readonly gaps = [0];
  private readonly places = new Map([[0, 0]]);
  private readonly passes = new Growing();
  private table = new Int32Array(4096).fill(-1); // open addressing over (parent, code, gap)

  constructor(private readonly codes: number) {
    this.append(-1, 0, 0);
  }

  pass(node: number): void {
    this.passes.values[node] += 1;
  }

  child(node: number, code: number, time: number): number {
    if (!(code >= 0 && code < this.codes)) throw new Error(`records: ${code} is not a step of this model.`);
    if (this.parent.length * 2 > this.table.length) this.grow();
    const gap = this.placeOf(time);
    let slot = this.slotOf(node, code, gap);
    for (let found = this.table[slot]; found >= 0; found = this.table[slot]) {
      if (this.parent.values[found] === node && this.code.values[found] === code && this.gap.values[found] === gap) return found;
      slot = (slot + 1) & (this.table.length - 1);
    }
    return (this.table[slot] = this.append(node, code, gap));
  }

  finish(A: number, Z: number, counts: { node: Growing; action: Growing }) {
    const count = this.parent.length;
    const parent = this.parent.values.slice(0, count);
    const action = new Int32Array(count).fill(-1);
    const observation = new Int32Array(count).fill(MISSING);
    const depth = new Int32Array(count);
    const gap = new Float64Array(count);
    for (let node = 1; node < count; ++node) {
      const step = this.code.values[node];
      action[node] = Math.floor(step / (Z + 1));
      observation[node] = step - action[node] * (Z + 1) - 1;
      depth[node] = depth[parent[node]] + 1;
      gap[node] = this.gaps[this.gap.values[node]];
    }
    const actionCounts = new Int32Array(count * A);
    for (let i = 0; i < counts.node.length; ++i) actionCounts[counts.node.values[i] * A + counts.action.values[i]] += 1;
    return { count, parent, action, observation, gap, depth, passes: this.passes.values.slice(0, count), actionCounts };
  }

  private placeOf(time: number): number {
    if (time === 0) return 0; // as everywhere, where visits have no times
    const known = this.places.get(time);
    if (known !== undefined) return known;
    this.places.set(time, this.gaps.length);
    return this.gaps.push(time) - 1;
  }

  private append(parent: number, code: number, gap: number): number {
    this.parent.push(parent);
    this.code.push(code);
    this.gap.push(gap);
    this.passes.push(0);
    return this.parent.length - 1;
  }

  private slotOf(node: number, code: number, gap: number): number {
    let x = Math.imul(node, 0x9e3779b1) ^ Math.imul(code + 1, 0x85ebca6b) ^ Math.imul(gap, 0x27d4eb2f);
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
    return (x ^ (x >>> 13)) & (this.table.length - 1);
  }

  private grow(): void {
    this.table = new Int32Array(this.table.length * 2).fill(-1);
    for (let node = 1; node < this.parent.length; ++node) {
      let slot = this.slotOf(this.parent.values[node], this.code.values[node], this.gap.values[node]);
      while (this.table[slot] >= 0) slot = (slot + 1) & (this.table.length - 1);
      this.table[slot] = node;
    }
  }
}
