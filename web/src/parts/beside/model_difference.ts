// Where two models of one structure see the same records otherwise: what is believed before each decision, how likely each
// action is then, and which is the most likely one.
import { beliefsAt, type Histories } from '../../core/histories';
import { firstHighest, MISSING, policyAt, type Mind } from '../../core/model';
import type { DecisionContext } from '../../core/policy_terms';

export interface NodeDifferences {
  belief: Float64Array; // [node]: half the sum of |b − b'| over states, 0 to 1
  policy: Float64Array; // [node]: the same of the probabilities of actions
  otherwise: Uint8Array; // [node]: 1 where another action is the most likely one
  gain: Float64Array; // [node·A + a]: log of the second's probability of the action less that of the first
}

export interface RecordDifference {
  belief: number; // the largest of its visits …
  beliefAt: number; // … and which one
  policy: number;
  policyAt: number;
  otherwise: number; // visits at which another action is the most likely one
  gain: number; // nats by which the second foresees its decisions better
}

export function contextAt(h: Histories, node: number): DecisionContext {
  const first = h.parent[node] < 0;
  return { lastAction: first ? null : h.action[node], step: h.depth[node], resultMissing: !first && h.observation[node] === MISSING };
}

// Half the sum of absolute differences.
export function apart(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < p.length; ++i) sum += Math.abs(p[i] - q[i]);
  return sum / 2;
}

export function nodeDifferences(h: Histories, first: Mind, second: Mind): NodeDifferences {
  const { S, A } = first.problem;
  const [beliefs, others] = [beliefsAt(h, first), beliefsAt(h, second)];
  const result = {
    belief: new Float64Array(h.count), policy: new Float64Array(h.count), otherwise: new Uint8Array(h.count), gain: new Float64Array(h.count * A),
  };
  for (let node = 0; node < h.count; ++node) {
    const context = contextAt(h, node);
    const [b, c] = [beliefs, others].map((all) => all.subarray(node * S, (node + 1) * S));
    const p = policyAt(first.policy, b, context);
    const q = policyAt(second.policy, c, context);
    result.belief[node] = apart(b, c);
    result.policy[node] = apart(p, q);
    result.otherwise[node] = firstHighest(p) === firstHighest(q) ? 0 : 1;
    for (let a = 0; a < A; ++a) result.gain[node * A + a] = Math.log(q[a]) - Math.log(p[a]);
  }
  return result;
}

export function recordDifference(h: Histories, of: NodeDifferences, actions: number[], record: number): RecordDifference {
  const result = { belief: 0, beliefAt: 0, policy: 0, policyAt: 0, otherwise: 0, gain: 0 };
  h.paths[record].forEach((node, visit) => {
    if (of.belief[node] > result.belief) [result.belief, result.beliefAt] = [of.belief[node], visit];
    if (of.policy[node] > result.policy) [result.policy, result.policyAt] = [of.policy[node], visit];
    result.otherwise += of.otherwise[node];
    result.gain += of.gain[node * h.A + actions[visit]];
  });
  return result;
}
