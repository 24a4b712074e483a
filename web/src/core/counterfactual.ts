// What could have happened at a visit: the belief after every outcome of an action, the belief if nobody had looked, how much the
// action was expected to tell, and what it could have changed in the next decision (explain/record/counterfactual.cpp). And the path a
// record would have taken had some of its steps been otherwise.
import { measuredIn, partlyRead } from './attribution';
import type { Step } from './histories';
import { eachOutcome, outcomeChances, SELDOM, type OutcomeChances } from './measured/points';
import type { FactorsJson } from './payload';
import { MISSING, mostLikelyIn, policyAt, update, type Dynamics, type Mind, type Problem } from './model';
import { contextOfNext, type DecisionContext } from './policy_terms';

export interface Branch {
  observation: number; // MISSING: time passing alone
  chance: number; // as the decision-maker saw it before; 0: impossible, and the rest is empty
  belief: Float64Array; // after it
  policy: Float64Array; // at the next decision
  next: number; // the most likely action there
}

export interface Branches {
  action: number;
  unseen: Branch; // the action's outcome is not looked at ("not done")
  outcomes: Branch[]; // every possible one
  information: number; // mutual information of outcome and state, bits, in the decision-maker's mind
  decides: boolean; // outcomes differ in the most likely next action
  expectedChange: number; // ½ Σ_a |π(outcome) − π(unseen)|, averaged over outcomes
}

// `now`: what beside the belief this decision is made in. `gap`: until the outcome is seen, where visits have times. A terminal
// action has no branches.
export function branches(mind: Mind, belief: ArrayLike<number>, action: number, now: DecisionContext, gap = 0): Branches {
  const { problem } = mind;
  const unseen = branchOf(mind, belief, action, MISSING, now, gap);
  const result: Branches = { action, unseen, outcomes: [], information: 0, decides: false, expectedChange: 0 };
  if (problem.terminal[action]) return result;
  if (problem.measured) return measuredBranches(mind, action, now, result);
  for (let z = 0; z < problem.Z; ++z) {
    if (!problem.allowed[action][z]) continue;
    const branch = branchOf(mind, belief, action, z, now, gap);
    if (!(branch.chance > 0)) continue;
    let change = 0;
    for (let a = 0; a < problem.A; ++a) change += 0.5 * Math.abs(branch.policy[a] - unseen.policy[a]);
    result.expectedChange += branch.chance * change;
    result.outcomes.push(branch);
  }
  result.decides = result.outcomes.some((branch) => branch.next !== result.outcomes[0].next);
  result.information = expectedInformation(problem, mind.dynamics, belief, action, gap);
  return result;
}

// I(outcome; state) in bits for an action taken at a belief, by any dynamics: the mind's or the world's.
export function expectedInformation(
  problem: Problem,
  dynamics: Dynamics,
  belief: ArrayLike<number>,
  action: number,
  gap = 0,
): number {
  const { S, Z, allowed } = problem;
  const O = dynamics.O[action];
  if (!O) return 0;
  const predicted = update(dynamics, belief, action, MISSING, gap).belief;
  if (problem.measured) return informationOf(chancesOf(problem, dynamics, action), predicted);
  let bits = 0;
  for (let z = 0; z < Z; ++z) {
    if (!allowed[action][z]) continue;
    let chance = 0;
    for (let s = 0; s < S; ++s) chance += predicted[s] * O[s * Z + z];
    for (let s = 0; s < S; ++s) {
      const joint = predicted[s] * O[s * Z + z];
      if (joint > 0) bits += joint * Math.log2(O[s * Z + z] / chance);
    }
  }
  return Math.max(0, bits);
}

const chancesOf = ({ measured, S }: Problem, dynamics: Dynamics, action: number): OutcomeChances =>
  outcomeChances(measured!, dynamics.O[action]!, S, measured!.factors.map((_, k) => k).filter((k) => measured!.factors[k].yielded[action]));

function informationOf({ S, weights }: OutcomeChances, predicted: ArrayLike<number>): number {
  let bits = 0;
  eachOutcome({ S, weights }, predicted, (share, row, state) => {
    let chance = 0;
    for (let s = 0; s < S; ++s) chance += predicted[s] * weights[row + s];
    if (chance > 0) bits += share * Math.log2(weights[row + state] / chance);
  });
  return Math.max(0, bits);
}

// What could have been measured is no list: integrals over it (explain/record/measured_branches.cpp).
function measuredBranches(mind: Mind, action: number, now: DecisionContext, result: Branches): Branches {
  const { S, A } = mind.problem;
  const predicted = result.unseen.belief;
  const chances = chancesOf(mind.problem, mind.dynamics, action);
  const leadingTo = new Float64Array(A);
  const after = new Float64Array(S);
  eachOutcome(chances, predicted, (share, row) => {
    let total = 0;
    for (let s = 0; s < S; ++s) total += after[s] = predicted[s] * chances.weights[row + s];
    if (!(total > 0)) return;
    for (let s = 0; s < S; ++s) after[s] /= total;
    const { policy, next } = nextDecision(mind, after, action, now);
    leadingTo[next] += share;
    for (let a = 0; a < A; ++a) result.expectedChange += share * 0.5 * Math.abs(policy[a] - result.unseen.policy[a]);
  });
  const all = leadingTo.reduce((x, y) => x + y, 0);
  result.decides = all - Math.max(...leadingTo) > SELDOM;
  result.information = informationOf(chances, predicted);
  return result;
}

// A step of which some factors of the outcome may not have been read.
export interface AskedStep extends Step {
  unread?: readonly number[]; // factors, ascending; none: all were read
}

// How a step of a record could have been otherwise.
export type Change =
  | { kind: 'outcome'; observation: number; unread?: readonly number[] }
  | { kind: 'unseen' }
  | { kind: 'action'; action: number; observation: number; unread?: readonly number[] };

// The next visit is when it was, whatever is done.
export function changedStep(step: Step, change: Change | undefined): AskedStep {
  if (!change) return step;
  const when = step.gap === undefined ? {} : { gap: step.gap };
  if (change.kind === 'unseen') return { action: step.action, observation: MISSING, ...when };
  const { observation, unread } = change;
  const action = change.kind === 'action' ? change.action : step.action;
  return unread?.length ? { action, observation, ...when, unread } : { action, observation, ...when };
}

// The belief after a step, whatever was read of its outcome.
export function updateAsked(
  mind: Mind,
  factors: FactorsJson,
  belief: ArrayLike<number>,
  step: AskedStep,
): { belief: Float64Array; chance: number } {
  return step.unread?.length && step.observation !== MISSING
    ? partlyRead(mind, factors, belief, step, step.unread)
    : update(mind.dynamics, belief, step.action, step.observation, step.gap);
}

// The step as it was, but for one factor of its outcome that nobody read: one branch for each factor measured, if there are
// several and all was seen. Its `observation` is the whole outcome, its chance that of what was read.
export function withoutEachFactor(
  mind: Mind,
  factors: FactorsJson,
  belief: ArrayLike<number>,
  step: Step,
  now: DecisionContext,
): { factor: number; branch: Branch }[] {
  if (mind.problem.terminal[step.action] || step.observation === MISSING) return [];
  const measured = measuredIn(factors, step);
  if (measured.length < 2) return [];
  return measured.flatMap((factor) => {
    const { belief: after, chance } = partlyRead(mind, factors, belief, step, [factor]);
    if (!(chance > 0)) return [];
    const decided = nextDecision(mind, after, step.action, now);
    return [{ factor, branch: { observation: step.observation, chance, belief: after, ...decided } }];
  });
}

// The beliefs before each step and after the last, with changes at some steps (by position). It ends before a step whose outcome
// the mind calls impossible, and at a terminal action, after which there is no belief.
export function ghostPath(mind: Mind, factors: FactorsJson, steps: Step[], changes: Map<number, Change>): Float64Array[] {
  const path = [mind.dynamics.b1];
  for (let t = 0; t < steps.length; ++t) {
    const step = changedStep(steps[t], changes.get(t));
    if (mind.problem.terminal[step.action]) break;
    if (step.gap === 0 && step.observation === MISSING) break; // nothing is said of the time after the last visit
    const { belief, chance } = updateAsked(mind, factors, path[t], step);
    if (!(chance > 0)) break;
    path.push(belief);
  }
  return path;
}

function nextDecision(mind: Mind, belief: Float64Array, action: number, now: DecisionContext): Pick<Branch, 'policy' | 'next'> {
  const context = contextOfNext(now, action);
  return { policy: policyAt(mind.policy, belief, context), next: mostLikelyIn(mind.policy, belief, context) };
}

export function branchOf(
  mind: Mind,
  belief: ArrayLike<number>,
  action: number,
  observation: number,
  now: DecisionContext,
  gap = 0,
): Branch {
  const { belief: after, chance } = update(mind.dynamics, belief, action, observation, gap);
  if (!(chance > 0)) {
    return { observation, chance: 0, belief: new Float64Array(0), policy: new Float64Array(0), next: 0 };
  }
  return {
    observation,
    chance: observation === MISSING ? 1 : chance,
    belief: after,
    ...nextDecision(mind, after, action, now),
  };
}
