// What decisions follow beside beliefs (docs/mathematics/policy-terms.md), as model/policy_terms.cpp and model/belief.cpp have it.
import type { Step } from './histories';
import { MISSING, type Policy } from './model';
import type { ModelJson } from './payload';

// What beside the belief a decision is made in. Covariates of patients are not in the page: they count as unknown, which adds
// nothing.
export interface DecisionContext {
  lastAction: number | null; // null: this is the first decision
  step: number; // decisions before this one
  resultMissing: boolean; // the last action's result was not recorded
}

export type TermKind = 'habit' | 'time' | 'missing' | 'context' | 'group';

export interface PolicyTerm {
  kind: TermKind;
  period: number; // of time: steps that are so far apart share a level; 0: none do
  weights: Float64Array[]; // [level][a]
}

export interface PolicyTerms {
  inertia: number; // share of decisions: the last action again, whatever is believed
  lapse: number; // share of decisions: any action, whatever is believed
  additive: PolicyTerm[];
}

// What a context comes to: π' = keep · softmax(scores + offsets) + floor.
export interface ContextEffect {
  offsets: Float64Array; // [a]
  keep: number;
  floor: Float64Array; // [a]
}

export function termsOf({ policy }: ModelJson): PolicyTerms | undefined {
  return (
    policy && {
      inertia: policy.inertia,
      lapse: policy.lapse,
      additive: policy.terms.map(({ kind, period, weights }) => ({
        kind,
        period: period ?? 0,
        weights: weights.map((row) => Float64Array.from(row)),
      })),
    }
  );
}

// How many numbers a draw has for them, and the terms made of these.
export function termNumbers(terms: PolicyTerms, A: number): number {
  return terms.additive.reduce((sum, term) => sum + term.weights.length * A, 2);
}

export function termsWith(terms: PolicyTerms, take: (count: number) => Float64Array): PolicyTerms {
  const [inertia, lapse] = take(2);
  const additive = terms.additive.map((term) => ({ ...term, weights: term.weights.map((row) => take(row.length)) }));
  return { inertia, lapse, additive };
}

// The context of the decision that follows these steps.
export function contextAfter(steps: readonly Step[]): DecisionContext {
  const last = steps.at(-1);
  return { lastAction: last?.action ?? null, step: steps.length, resultMissing: last?.observation === MISSING };
}

// Of the decision after an action that could be taken now: that its result may not be looked at shall not count.
export function contextOfNext(now: DecisionContext, action: number): DecisionContext {
  return { lastAction: action, step: now.step + 1, resultMissing: false };
}

// The policy as it is in one context: its means, with what the terms add. Without terms, or without a context, the policy of
// belief alone.
export function inContext(policy: Policy, context: Partial<DecisionContext> | null): Policy {
  const { terms } = policy;
  if (!terms || !context) return policy;
  const A = policy.means.length;
  const offsets = new Float64Array(A);
  for (const term of terms.additive) {
    const row = term.weights[levelOf(term, context)];
    row?.forEach((weight, a) => (offsets[a] += weight));
  }
  const last = context.lastAction ?? null;
  const repeated = last === null ? 0 : terms.inertia;
  const floor = Float64Array.from({ length: A }, (_, a) => terms.lapse / A + (a === last ? repeated : 0));
  return { ...policy, effect: { offsets, keep: 1 - repeated - terms.lapse, floor } };
}

// −1: the term says nothing of this decision.
function levelOf({ kind, period, weights }: PolicyTerm, { lastAction, step, resultMissing }: Partial<DecisionContext>): number {
  switch (kind) {
    case 'habit':
      return lastAction ?? -1;
    case 'time':
      if (step === undefined) return -1;
      return period > 0 ? step % period : Math.min(step, weights.length - 1);
    case 'missing':
      return resultMissing ? 0 : -1;
    default:
      return -1;
  }
}
