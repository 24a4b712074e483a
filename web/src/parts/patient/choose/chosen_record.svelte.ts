// The record and visit the reader looks at, and all that is said of them. The address decides; nothing is stored here, so
// every chart, table and sentence of a page shows the same visit.
import { explainRecord, sentences } from '../../../core/explain';
import { recordFlags } from '../../../core/flags';
import { app } from '../../../state/app.svelte';
import { route, type Parameters, type ViewName } from '../../../state/route.svelte';
import { allRecordFlags, asFlag, lengths, matching, neighbour, type RecordFilter } from './record_filter';

// Filters, thresholds and ways of drawing go with the reader from patient to patient, and between the two views.
const carried = ['flag', 'find', 'visits', 'near', 'move', 'certain', 'layout', 'focus', 'lens', 'scale'];

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, Math.trunc(value)));

export class ChosenRecord {
  readonly count = $derived.by(() => app.payload.records.steps.length);
  readonly record = $derived.by(() => within(route.number('record', this.#first()), this.count));
  readonly steps = $derived.by(() => (this.count > 0 ? app.steps(this.record) : []));
  // Ends early where the model calls an outcome impossible.
  readonly visits = $derived.by(() => explainRecord(app.mind, app.payload.factors, this.steps));
  readonly words = $derived.by(() => sentences(app.problem, app.payload.factors, this.visits));
  readonly visit = $derived.by(() => within(route.number('visit', 0), this.visits.length));
  readonly current = $derived.by(() => this.visits[this.visit]);
  readonly names = $derived.by(() => this.steps.map((_, visit) => app.visitName(this.record, visit)));
  // The belief after the last outcome: no decision follows it.
  readonly after = $derived.by(() => {
    const move = this.visits[this.visits.length - 1]?.move;
    return move && move.chance > 0 ? move.after : null;
  });
  readonly impossible = $derived.by(() => this.visits.some(({ move }) => move !== null && !(move.chance > 0)));
  readonly flags = $derived.by(() =>
    recordFlags(app.histories, app.flags, app.payload.audit, app.payload.records, this.record),
  );
  readonly unlikely = $derived.by(() => app.payload.audit.unlikely.includes(this.record));

  readonly filter: RecordFilter = $derived.by(() => {
    const length = route.get('visits');
    return {
      find: route.get('find') ?? '',
      flag: asFlag(route.get('flag')),
      length: length !== null && Object.hasOwn(lengths, length) ? length : null,
    };
  });
  readonly flagged = $derived.by(() => allRecordFlags(app.histories, app.flags, app.payload));
  readonly #ids = $derived.by(() => app.payload.records.steps.map((_, record) => app.idOf(record).toLowerCase()));
  readonly listed = $derived.by(() =>
    matching(this.filter, this.#ids, app.payload.records.steps, () => this.flagged),
  );

  // Parameters of this record in either view.
  place(parameters: Parameters = {}): Parameters {
    const kept = Object.fromEntries(carried.map((name) => [name, route.get(name)]));
    return { ...kept, record: this.record, visit: this.visit, ...parameters };
  }

  link(view: ViewName, parameters: Parameters = {}): string {
    return route.link(view, this.place(parameters));
  }

  chooseVisit(visit: number): void {
    route.choose({ record: this.record, visit: within(visit, this.visits.length) });
  }

  // By keys held down: a step of history each would bury what came before.
  passTo(visit: number): void {
    route.set({ record: this.record, visit: within(visit, this.visits.length) });
  }

  chooseRecord(record: number, visit: number | null = null): void {
    route.choose({ record, visit, changes: null });
  }

  neighbour(by: number): number | null {
    return neighbour(this.listed, this.record, by);
  }

  passToRecord(by: number): void {
    const next = this.neighbour(by);
    if (next !== null) route.set({ record: next, visit: null, changes: null });
  }

  #first(): number {
    return app.payload.examples.typical?.record ?? 0;
  }
}
