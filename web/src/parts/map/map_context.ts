// The contexts a reader may look at the policy in: what the terms of the policy follow, and how that is called.
import { percent } from '../../core/format';
import type { Problem } from '../../core/model';
import type { DecisionContext, PolicyTerms } from '../../core/policy_terms';

export type MapContext = Partial<DecisionContext>; // what is not there is left out

// Only what moves the lines of this policy can be chosen.
export interface ContextChoices {
  lastActions: number[];
  steps: string[]; // [step]: its name
  missing: boolean;
}

export function contextChoices(problem: Problem, terms: PolicyTerms | undefined): ContextChoices {
  const has = (kind: string) => terms?.additive.some((term) => term.kind === kind) ?? false;
  const running = problem.actions.map((_, a) => a).filter((a) => !problem.terminal[a]);
  return {
    lastActions: has('habit') ? running : [],
    steps: stepNames(terms),
    missing: has('missing'),
  };
}

// As the program calls them: "step 3", "step 8 and later", "step 2 of every 4".
function stepNames(terms: PolicyTerms | undefined): string[] {
  const times = terms?.additive.filter(({ kind }) => kind === 'time') ?? [];
  const count = Math.max(0, ...times.map(({ weights }) => weights.length));
  const period = times.length === 1 ? times[0].period : 0;
  return Array.from({ length: count }, (_, i) => {
    if (period > 0) return `step ${i + 1} of every ${period}`;
    return `step ${i + 1}${i + 1 === count ? ' and later' : ''}`;
  });
}

// What was asked for, as far as it can be: before the first step there was nothing. null: belief alone.
export function asContext(choices: ContextChoices, last: string | null, step: string | null, missing: boolean): MapContext | null {
  const at = choices.steps.findIndex((_, i) => String(i) === step);
  const after = choices.lastActions.find((a) => String(a) === last);
  const context: MapContext = {};
  if (at >= 0) context.step = at;
  if (at !== 0 && after !== undefined) context.lastAction = after;
  if (at !== 0 && missing && choices.missing) context.resultMissing = true;
  return Object.keys(context).length > 0 ? context : null;
}

export function contextWords(problem: Problem, choices: ContextChoices, context: MapContext | null): string {
  if (!context) return 'by belief alone';
  const { lastAction, step, resultMissing } = context;
  const words = [
    ...(lastAction === undefined || lastAction === null ? [] : [`after ${problem.actions[lastAction]}`]),
    ...(resultMissing ? ['the last result missing'] : []),
    ...(step === undefined ? [] : [`at ${choices.steps[step]}`]),
  ];
  return words.join(', ');
}

// The decisions that the map leaves out, because they are taken whatever is believed.
export function shareWords(terms: PolicyTerms | undefined): string {
  const shares = [
    ...(terms && terms.inertia > 0 ? [`the last action again (${percent(terms.inertia)} of decisions)`] : []),
    ...(terms && terms.lapse > 0 ? [`any action (${percent(terms.lapse)})`] : []),
  ];
  return shares.length > 0 ? `Left out: what is done whatever is believed, ${shares.join(' or ')}.` : '';
}
