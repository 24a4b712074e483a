// One record explained, decision by decision: what was believed before it, what a decision-maker with this belief would do, what
// was done and how surprising that is, how near another choice was, and what moved the belief to the next one. As
// explain/record/trajectory.cpp.
import type { FactorsJson } from './payload';
import type { Step } from './histories';
import { beliefMove, type BeliefMove } from './attribution';
import { firstHighest, logPolicyAt, policyAt, type Mind } from './model';
import { nearestBoundary, type NearestBoundary } from './nearest_boundary';
import { contextAfter, type DecisionContext } from './policy_terms';

export type { BeliefMove, Shift } from './attribution';
export type { NearestBoundary } from './nearest_boundary';
export { sentences } from './sentences';

export interface Visit {
  index: number;
  step: Step;
  context: DecisionContext;
  belief: Float64Array; // before the decision
  policy: Float64Array; // π(a|belief) in the context
  byBelief: Float64Array | null; // π(a|belief), had nothing else played a part; null: nothing else can
  region: number; // the most likely action
  probability: number; // of the action taken
  surprise: number; // −log2 of it: bits
  tail: number; // the probability of all actions at most as likely as the one taken
  boundary: NearestBoundary | null; // by belief alone
  move: BeliefMove | null; // none after a terminal action
}

// Ends after the first outcome the mind calls impossible (its move has chance 0).
export function explainRecord(mind: Mind, factors: FactorsJson, steps: Step[]): Visit[] {
  const visits: Visit[] = [];
  let belief: Float64Array = mind.dynamics.b1;
  for (const step of steps) {
    const visit = explainDecision(mind, factors, belief, step, contextAfter(steps.slice(0, visits.length)));
    visits.push(visit);
    if (!visit.move || !(visit.move.chance > 0)) break;
    belief = visit.move.after;
  }
  return visits;
}

export function explainDecision(
  mind: Mind,
  factors: FactorsJson,
  belief: Float64Array,
  step: Step,
  context: DecisionContext,
): Visit {
  const logs = logPolicyAt(mind.policy, belief, context);
  const policy = logs.map((x) => Math.exp(x));
  const probability = policy[step.action];
  return {
    index: context.step,
    step,
    context,
    belief,
    policy,
    byBelief: mind.policy.terms ? policyAt(mind.policy, belief) : null,
    region: firstHighest(logs),
    probability,
    surprise: Math.max(0, -logs[step.action] / Math.LN2),
    tail: tailOf(policy, probability),
    boundary: nearestBoundary(mind.policy, belief),
    move: mind.problem.terminal[step.action] ? null : beliefMove(mind, factors, belief, step),
  };
}

function tailOf(policy: Float64Array, probability: number): number {
  const same = probability * (1 + 1e-12); // two probabilities that differ by rounding alone count as equal
  let tail = 0;
  for (const p of policy) if (p <= same) tail += p;
  return Math.min(tail, 1);
}
