// "What if", as it stands in the address: `2:z3,4:u,5:a1z3` says that the third visit had outcome 3, that nobody looked
// at the result of the fifth, and that at the sixth action 1 was taken, with outcome 3. Visits count from 0 here.
import type { Change } from '../../core/counterfactual';
import type { Step } from '../../core/histories';
import { MISSING, type Problem } from '../../core/model';
import type { FactorsJson } from '../../core/payload';

export type Changes = Map<number, Change>;

const pattern = /^(\d{1,9}):(?:a(\d{1,9}))?(?:z(\d{1,9})|u)$/;

// Addresses can be edited by hand: what the record or the model does not have is left out.
export function parseChanges(text: string | null, problem: Problem, steps: Step[]): Changes {
  const changes: Changes = new Map();
  for (const part of (text ?? '').split(',')) {
    const match = pattern.exec(part);
    if (!match) continue;
    const visit = Number(match[1]);
    const recorded = steps[visit];
    if (!recorded) continue;
    const action = match[2] === undefined ? recorded.action : Number(match[2]);
    const observation = match[3] === undefined ? MISSING : Number(match[3]);
    if (!possible(problem, action, observation)) continue;
    const change = changeTo(recorded, { action, observation });
    if (change) changes.set(visit, change);
  }
  return changes;
}

function possible(problem: Problem, action: number, observation: number): boolean {
  if (action >= problem.A || problem.terminal[action]) return false;
  return observation === MISSING || problem.allowed[action][observation] === true;
}

export function formatChanges(changes: Changes): string | null {
  const parts = [...changes].sort(([a], [b]) => a - b).map(([visit, change]) => `${visit}:${changeCode(change)}`);
  return parts.length > 0 ? parts.join(',') : null;
}

function changeCode(change: Change): string {
  if (change.kind === 'unseen') return 'u';
  const outcome = change.observation === MISSING ? 'u' : `z${change.observation}`;
  return change.kind === 'outcome' ? outcome : `a${change.action}${outcome}`;
}

// What turns the recorded step into the wanted one; null: nothing does.
export function changeTo(recorded: Step, wanted: Step): Change | null {
  if (wanted.action !== recorded.action) return { kind: 'action', ...wanted };
  if (wanted.observation === recorded.observation) return null;
  if (wanted.observation === MISSING) return { kind: 'unseen' };
  return { kind: 'outcome', observation: wanted.observation };
}

// The step, had another action been taken: what both actions measure stays as it was seen, and what only the other one
// measures was not looked at.
export function insteadOf(problem: Problem, factors: FactorsJson, step: Step, action: number): Step {
  const unseen = { action, observation: MISSING };
  if (step.observation === MISSING || problem.terminal[step.action]) return unseen;
  const shared = factors.names.map((_, k) => k).filter((k) => factors.measured[step.action][k] && factors.measured[action][k]);
  const agreeing = problem.observations
    .map((_, z) => z)
    .filter((z) => problem.allowed[action][z] && shared.every((k) => factors.level[z][k] === factors.level[step.observation][k]));
  return agreeing.length === 1 ? { action, observation: agreeing[0] } : unseen;
}

// What stands in for a test that is left out: an action that goes on without being one; null: there is none, and leaving
// the test out means not looking at its result.
export function withoutTest(problem: Problem, tests: boolean[], action: number): number | null {
  if (!tests[action]) return null;
  const other = problem.actions.findIndex((_, a) => !tests[a] && !problem.terminal[a]);
  return other < 0 ? null : other;
}
