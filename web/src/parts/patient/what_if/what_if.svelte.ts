// What would have been believed and done, had some results or actions of the record been otherwise. The changes stand in
// the address, so that the back button takes them back one by one.
import { branches, branchOf, changedStep, ghostPath, withoutEachFactor, type AskedStep } from '../../../core/counterfactual';
import { MISSING, mostLikelyIn, policyAt } from '../../../core/model';
import { contextAfter, type DecisionContext } from '../../../core/policy_terms';
import { app } from '../../../state/app.svelte';
import { route } from '../../../state/route.svelte';
import { changeTo, formatChanges, parseChanges } from './changes';
import type { ChosenRecord } from '../choose/chosen_record.svelte';

export interface Decision {
  belief: ArrayLike<number>;
  policy: Float64Array;
  region: number;
}

export function decisionAt(belief: ArrayLike<number>, context: DecisionContext): Decision {
  const { policy } = app.mind;
  return { belief, policy: policyAt(policy, belief, context), region: mostLikelyIn(policy, belief, context) };
}

export class WhatIf {
  readonly #chosen: ChosenRecord;
  readonly changes = $derived.by(() => parseChanges(route.get('changes'), app.problem, app.payload.factors, this.#chosen.steps));
  readonly any = $derived.by(() => this.changes.size > 0);
  readonly steps = $derived.by(() => this.#chosen.steps.map((step, t) => changedStep(step, this.changes.get(t))));
  // Before each visit and after the last. Shorter where a result has become impossible.
  readonly ghost = $derived.by(() => ghostPath(app.mind, app.payload.factors, this.#chosen.steps, this.changes));
  readonly first = $derived.by(() => Math.min(...this.changes.keys()));
  // The first visit whose recorded result could not have happened after the changes.
  readonly impossible = $derived.by(() => {
    const end = this.ghost.length - 1;
    const step = this.steps[end];
    return this.any && step && !app.problem.terminal[step.action] ? end : null;
  });

  // Actions that go on; of one of them all possible results are shown, of the recorded one unless another was asked for.
  readonly actions = $derived.by(() => app.problem.actions.map((_, a) => a).filter((a) => !app.problem.terminal[a]));
  readonly shown = $derived.by(() => {
    const recorded = this.#chosen.current.step.action;
    return [route.number('test', -1), recorded].find((a) => this.actions.includes(a)) ?? this.actions[0];
  });
  readonly possible = $derived.by(() => {
    const { belief, context, step } = this.#chosen.current;
    return branches(app.mind, belief, this.shown, context, step.gap);
  });
  // Of the recorded outcome, where its action is the one shown: one factor not read.
  readonly without = $derived.by(() => {
    const { step, belief, context } = this.#chosen.current;
    return step.action === this.shown ? withoutEachFactor(app.mind, app.payload.factors, belief, step, context) : [];
  });
  // Of measured outcomes there is no list: the one that was recorded, where its action is the one shown.
  readonly asRecorded = $derived.by(() => {
    const { step, belief, context } = this.#chosen.current;
    if (!app.problem.measured || step.action !== this.shown || step.observation === MISSING) return null;
    const branch = branchOf(app.mind, belief, step.action, step.observation, context, step.gap);
    return branch.chance > 0 ? branch : null;
  });
  readonly marks = $derived.by(() => route.get('results') === '1');
  readonly marked = $derived.by(() => {
    if (!this.marks || this.actions.length === 0) return [];
    return this.possible.outcomes.map(({ belief, observation }) => ({ belief, label: app.problem.observations[observation] ?? '' }));
  });

  constructor(chosen: ChosenRecord) {
    this.#chosen = chosen;
  }

  // What would be decided before a visit (one past the last: after it); null: nothing can be said.
  decision(visit: number): Decision | null {
    const belief = this.ghost[visit];
    if (!belief) return null;
    const context = contextAfter(this.steps.slice(0, visit));
    // A result that is left out here was not missing: as in the table of all results, that shall not count.
    const resultMissing = context.resultMissing && !this.changes.has(visit - 1);
    return decisionAt(belief, { ...context, resultMissing });
  }

  // `passing`: one of many on the way to what is wanted, no step of history.
  set(visit: number, wanted: AskedStep, passing = false): void {
    const changes = new Map(this.changes);
    const change = changeTo(app.payload.factors, this.#chosen.steps[visit], wanted);
    if (change) changes.set(visit, change);
    else changes.delete(visit);
    if (passing) route.set({ changes: formatChanges(changes, app.problem) });
    else route.choose({ changes: formatChanges(changes, app.problem) });
  }

  undo(visit: number): void {
    this.set(visit, this.#chosen.steps[visit]);
  }

  reset(): void {
    route.choose({ changes: null });
  }
}
