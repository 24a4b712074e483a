import { percent } from '../../../core/format';
import { mostLikely, policyAt, type Mind } from '../../../core/model';

// A belief and what would most likely be done there, as one reads it aloud.
export function beliefWords(mind: Mind, belief: ArrayLike<number>): string {
  const parts = mind.problem.states.map((state, s) => `${state} ${percent(belief[s])}`).join(' · ');
  const best = mostLikely(mind.policy, belief);
  return `${parts}. Most likely action: ${mind.problem.actions[best]} (${percent(policyAt(mind.policy, belief)[best])}).`;
}
