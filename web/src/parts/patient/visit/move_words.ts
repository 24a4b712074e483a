// A move of belief in words: how much was time passing, and how much evidence.
import type { BeliefMove } from '../../../core/explain';
import { percent } from '../../../core/format';
import type { Problem } from '../../../core/model';

const hardly = 0.005; // a change that percents do not show

// The state whose belief moved most; of two states that is one question, asked of the second.
export function movedMost(problem: Problem, move: BeliefMove | null): number {
  if (problem.S === 2 || !move || !(move.chance > 0)) return problem.S - 1;
  let most = 0;
  for (let s = 1; s < problem.S; ++s) {
    if (Math.abs(move.total.belief[s]) > Math.abs(move.total.belief[most])) most = s;
  }
  return most;
}

function part(who: string, change: number, from: number, to: number): string {
  if (Math.abs(change) < hardly) return `${who} ${Math.abs(change) < 1e-12 ? 'did not change' : 'hardly changed'} it`;
  return `${who} ${change > 0 ? 'raised' : 'lowered'} it from ${percent(from)} to ${percent(to)}`;
}

export function moveWords(problem: Problem, move: BeliefMove, belief: ArrayLike<number>, state: number, seen: boolean): string {
  const time = part('Time passing', move.time.belief[state], belief[state], move.predicted[state]);
  const evidence = seen
    ? part('the evidence', move.evidence.belief[state], move.predicted[state], move.after[state])
    : 'no result was recorded';
  return `Belief in ${problem.states[state]}: ${time[0].toLowerCase()}${time.slice(1)}; ${evidence}.`;
}
