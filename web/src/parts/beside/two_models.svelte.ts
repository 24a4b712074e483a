// The two models and where they differ, for the views of both.
import { nodeDifferences, recordDifference, type RecordDifference } from './model_difference';
import type { BesideJson } from '../../core/payload';
import { app } from '../../state/app.svelte';
import { printable } from '../flags/flag_words';

export class TwoModels {
  constructor(readonly beside: BesideJson) {}

  // "Coupled", "Shared"; "First", "Second".
  readonly names = $derived.by(() => this.beside.names.map((name) => name.charAt(0).toUpperCase() + name.slice(1)));
  readonly #nodes = $derived.by(() => nodeDifferences(app.histories, app.fitted, app.other ?? app.fitted));
  // Of every record, by its place.
  readonly records: RecordDifference[] = $derived.by(() =>
    app.payload.records.steps.map((_, record) => recordDifference(app.histories, this.#nodes, app.steps(record).map(({ action }) => action), record)));
  readonly visits = $derived.by(() => app.payload.records.steps.reduce((sum, steps) => sum + steps.length, 0));
  readonly visitsOtherwise = $derived.by(() => this.records.reduce((sum, { otherwise }) => sum + otherwise, 0));
  // Where another action is the most likely one at some visit, the furthest apart first.
  readonly otherwise = $derived.by(() =>
    this.records.flatMap((of, record) => (of.otherwise > 0 ? [record] : [])).sort((a, b) => this.records[b].policy - this.records[a].policy));

  print(n: number): number | null {
    return printable(n, app.payload.individual, app.payload.min_cell);
  }
}
