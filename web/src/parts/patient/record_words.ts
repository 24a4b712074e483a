// What happened at a visit, in the words of the study.
import type { NearestBoundary } from '../../core/explain';
import { percent } from '../../core/format';
import { measuredBy, measuredIn } from '../../core/attribution';
import type { AskedStep } from '../../core/counterfactual';
import { MISSING, type Problem } from '../../core/model';
import type { FactorsJson } from '../../core/payload';
import { factorWords, joined } from '../../core/sentences';

export function outcomeWords(
  problem: Problem,
  factors: FactorsJson,
  action: number,
  observation: number,
  unread: readonly number[] = [],
): string {
  const measured = problem.measured ? measuredIn(factors, { action, observation }) : measuredBy(factors, action);
  if (measured.length === 0) return problem.observations[observation] ?? 'nothing measured';
  return measured
    .map((factor) => (unread.includes(factor) ? `${factors.names[factor]} not read` : factorWords(factors, observation, factor)))
    .join(', ');
}

export function resultWords(problem: Problem, factors: FactorsJson, step: AskedStep): string {
  if (problem.terminal[step.action]) return 'ends the record';
  if (step.observation === MISSING) return 'no result recorded';
  return outcomeWords(problem, factors, step.action, step.observation, step.unread);
}

// "NL 12%, MCI 88%"
export function shareWords(names: string[], shares: ArrayLike<number>): string {
  return names.map((name, i) => `${name} ${percent(shares[i])}`).join(', ');
}

export function largest(shares: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < shares.length; ++i) if (shares[i] > shares[best]) best = i;
  return best;
}

// How much belief moves, whichever way; what is not nothing is never shown as 0.
export function sizeWords(size: number): string {
  if (!Number.isFinite(size)) return '–';
  const whole = Math.round(100 * size);
  if (whole === 0) return 'less than 1 point';
  return `${whole} ${whole === 1 ? 'point' : 'points'}`;
}

// States that give (or take) less than a tenth of a shift are not worth a word.
function movers(problem: Problem, shift: ArrayLike<number>, sign: 1 | -1): string {
  const moved = problem.states.map((_, s) => Math.max(0, sign * shift[s]));
  const all = moved.reduce((sum, x) => sum + x, 0);
  return joined(problem.states.filter((_, s) => moved[s] > 0.1 * all));
}

export function boundaryWords(problem: Problem, boundary: NearestBoundary | null): string {
  if (!boundary) return 'No shift of belief would make another action the most likely one.';
  const size = boundary.shift.reduce((sum, x) => sum + Math.max(0, x), 0);
  const action = problem.actions[boundary.action];
  if (size < 1e-9) return `The belief lies on a boundary: ${action} is just as likely.`;
  const from = movers(problem, boundary.shift, -1);
  const to = movers(problem, boundary.shift, 1);
  return `A shift of ${sizeWords(size)} from ${from} to ${to} would make ${action} the most likely choice.`;
}
