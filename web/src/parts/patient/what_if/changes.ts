// "What if", as it stands in the address: `2:z3,4:u,5:a1z3,6:z3x1` says that the third visit had outcome 3, that nobody looked
// at the result of the fifth, that at the sixth action 1 was taken, with outcome 3, and that of the seventh visit's outcome 3
// nobody read factor 1. Visits count from 0 here.
import { measuredBy } from '../../../core/attribution';
import type { AskedStep, Change } from '../../../core/counterfactual';
import type { Step } from '../../../core/histories';
import { MISSING, type Problem } from '../../../core/model';
import { keptBy, placeOfText, textOfPlace, without } from '../../../core/measured/otherwise';
import { measuredFactors } from '../../../core/measured/outcomes';
import type { FactorsJson } from '../../../core/payload';

export type Changes = Map<number, Change>;

// Of measured outcomes the values stand there, factor by factor: `2:m62_3.1_`.
const pattern = /^(\d{1,9}):(?:a(\d{1,9}))?(?:z(\d{1,9})((?:x\d{1,9})*)|m([-+.\de_]{0,999})|u)$/;

// Addresses can be edited by hand: what the record or the model does not have is left out.
export function parseChanges(text: string | null, problem: Problem, factors: FactorsJson, steps: Step[]): Changes {
  const changes: Changes = new Map();
  for (const part of (text ?? '').split(',')) {
    const match = pattern.exec(part);
    if (!match) continue;
    const visit = Number(match[1]);
    const recorded = steps[visit];
    if (!recorded) continue;
    const action = match[2] === undefined ? recorded.action : Number(match[2]);
    const measured = match[5] === undefined || action >= problem.A ? null : placeOfText(problem, action, match[5]);
    if (match[5] !== undefined && measured === null) continue;
    const observation = measured ?? (match[3] === undefined ? MISSING : Number(match[3]));
    const unread = (match[4] ?? '').split('x').slice(1).map(Number);
    if (!possible(problem, action, observation)) continue;
    if (unread.some((k) => !factors.measured[action][k])) continue;
    const change = changeTo(factors, recorded, { action, observation, unread });
    if (change) changes.set(visit, change);
  }
  return changes;
}

function possible(problem: Problem, action: number, observation: number): boolean {
  if (action >= problem.A || problem.terminal[action]) return false;
  if (observation === MISSING) return true;
  return problem.measured ? observation < problem.measured.count : problem.allowed[action][observation] === true;
}

// `problem`: where outcomes are measured.
export function formatChanges(changes: Changes, problem?: Problem): string | null {
  const parts = [...changes].sort(([a], [b]) => a - b).map(([visit, change]) => `${visit}:${changeCode(change, problem)}`);
  return parts.length > 0 ? parts.join(',') : null;
}

function changeCode(change: Change, problem?: Problem): string {
  if (change.kind === 'unseen') return 'u';
  const unread = (change.unread ?? []).map((k) => `x${k}`).join('');
  const seen = problem?.measured ? `m${textOfPlace(problem.measured, change.observation)}` : `z${change.observation}${unread}`;
  const outcome = change.observation === MISSING ? 'u' : seen;
  return change.kind === 'outcome' ? outcome : `a${change.action}${outcome}`;
}

// What turns the recorded step into the wanted one; null: nothing does. To read nothing of an outcome is not to look at it.
export function changeTo(factors: FactorsJson, recorded: Step, wanted: AskedStep): Change | null {
  const measured = measuredBy(factors, wanted.action);
  const unread = measured.filter((k) => wanted.unread?.includes(k));
  const table = measuredFactors(factors);
  if (table && unread.length > 0 && wanted.observation !== MISSING) {
    // A value that was not read is one that was not measured.
    return changeTo(factors, recorded, { action: wanted.action, observation: without(table, wanted.observation, unread) });
  }
  const observation = unread.length > 0 && unread.length === measured.length ? MISSING : wanted.observation;
  const asked = observation !== MISSING && unread.length > 0 ? { observation, unread } : { observation };
  if (wanted.action !== recorded.action) return { kind: 'action', action: wanted.action, ...asked };
  if (observation === recorded.observation && !('unread' in asked)) return null;
  if (observation === MISSING) return { kind: 'unseen' };
  return { kind: 'outcome', ...asked };
}

// The step, had another action been taken: what both actions measure stays as it was seen, and what only the other one
// measures was not read.
export function insteadOf(problem: Problem, factors: FactorsJson, step: Step, action: number): AskedStep {
  const unseen = { action, observation: MISSING };
  if (step.observation === MISSING || problem.terminal[step.action]) return unseen;
  if (problem.measured) return { action, observation: keptBy(problem.measured, step.observation, action) };
  const measured = measuredBy(factors, action);
  const shared = measured.filter((k) => factors.measured[step.action][k]);
  const observation = problem.observations.findIndex(
    (_, z) => problem.allowed[action][z] && shared.every((k) => factors.level[z][k] === factors.level[step.observation][k]),
  );
  if (observation < 0 || (measured.length > 0 && shared.length === 0)) return unseen;
  const unread = measured.filter((k) => !shared.includes(k));
  return unread.length > 0 ? { action, observation, unread } : { action, observation };
}

// The step with one factor of its outcome at another level, or (null) not read, the others as they are; null: no such outcome.
export function withLevel(problem: Problem, factors: FactorsJson, step: AskedStep, factor: number, level: number | null): AskedStep | null {
  const { action } = step;
  const unread = (step.unread ?? []).filter((k) => k !== factor);
  if (level === null) return { ...step, unread: [...unread, factor].sort((a, b) => a - b) };
  const others = measuredBy(factors, action).filter((k) => k !== factor && !unread.includes(k));
  const observation = problem.observations.findIndex(
    (_, z) =>
      problem.allowed[action][z] &&
      factors.level[z][factor] === level &&
      others.every((k) => factors.level[z][k] === factors.level[step.observation][k]),
  );
  return observation < 0 ? null : { action, observation, unread };
}

// What stands in for a test that is left out: an action that goes on without being one; null: there is none, and leaving
// the test out means not looking at its result.
export function withoutTest(problem: Problem, tests: boolean[], action: number): number | null {
  if (!tests[action]) return null;
  const other = problem.actions.findIndex((_, a) => !tests[a] && !problem.terminal[a]);
  return other < 0 ? null : other;
}
