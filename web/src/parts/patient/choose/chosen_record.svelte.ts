// The record and visit the reader looks at, and all that is said of them. The address decides; nothing is stored here, so
// every chart, table and sentence of a page shows the same visit.
import { explainRecord, sentences } from '../../../core/explain';
import { recordFlags } from '../../../core/flags';
import { recordIntervals } from '../../../core/intervals';
import { timeWords } from '../../../core/format';
import { MISSING } from '../../../core/model';
import type { Estimate } from '../../../core/payload';
import { timesOf } from '../../../core/time/drift';
import { app } from '../../../state/app.svelte';
import { route, type Parameters, type ViewName } from '../../../state/route.svelte';
import { timeAxis } from '../time_axis';
import { asksOfVisits, asVisitFilter, visitFinder } from './visit_filter';
import { allRecordFlags, asFlag, lengths, matching, neighbour, type RecordFilter } from './record_filter';

// Filters, thresholds and ways of drawing go with the reader from patient to patient, and between the two views.
const carried = ['flag', 'find', 'in', 'visits', 'near', 'move', 'certain', 'layout', 'focus', 'lens', 'scale', 'bands', 'axis', 'result', 'done', 'belief', 'surprise', 'at'];

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, Math.trunc(value)));

export class ChosenRecord {
  readonly count = $derived.by(() => app.payload.records.steps.length);
  readonly record = $derived.by(() => within(route.number('record', this.#first()), this.count));
  readonly steps = $derived.by(() => (this.count > 0 ? app.steps(this.record) : []));
  // Ends early where the model calls an outcome impossible.
  readonly visits = $derived.by(() => explainRecord(app.mind, app.payload.factors, this.steps));
  // Of beliefs, and of the fitted policy: nothing says how sure one is that was moved by hand.
  readonly intervals = $derived.by(() => recordIntervals(app.allDraws, this.steps));
  readonly words = $derived.by(() => sentences(app.problem, app.payload.factors, this.visits, this.intervals?.visits.map((visit) => (app.hypothetical ? { ...visit, policy: [] } : visit))));
  readonly visit = $derived.by(() => within(route.number('visit', 0), this.visits.length));
  readonly current = $derived.by(() => this.visits[this.visit]);
  readonly names = $derived.by(() => this.steps.map((_, visit) => app.visitName(this.record, visit)));
  // Of each visit since the first; null: visits have no times.
  readonly times = $derived.by(() => timesOf(this.steps));
  readonly time = $derived.by(() =>
    timeAxis({ mind: app.mind, steps: this.steps, beliefs: this.visits.map(({ belief }) => belief) }, app.allDraws),
  );

  // How long after the first a visit was, and how long it is to the next; null: visits have no times, or there is none.
  when(visit: number): string | null {
    return this.times && visit > 0 ? timeWords(this.times[visit], app.problem.time?.unit ?? '') : null;
  }

  gap(visit: number): string | null {
    const gap = this.steps[visit]?.gap;
    return gap ? timeWords(gap, app.problem.time?.unit ?? '') : null;
  }

  belief(visit: number, state: number): Estimate | undefined {
    return visit < this.steps.length ? this.intervals?.visits[visit]?.belief[state] : this.intervals?.after?.[state];
  }

  likely(visit: number, action: number): Estimate | undefined {
    return app.hypothetical ? undefined : this.intervals?.visits[visit]?.policy[action];
  }

  // The belief after the last outcome: no decision follows it. Where visits have times, nothing is said of the time after the last.
  readonly after = $derived.by(() => {
    if (this.times && this.steps[this.steps.length - 1]?.observation === MISSING) return null;
    const move = this.visits[this.visits.length - 1]?.move;
    return move && move.chance > 0 ? move.after : null;
  });
  readonly impossible = $derived.by(() => this.visits.some(({ move }) => move !== null && !(move.chance > 0)));
  readonly flags = $derived.by(() =>
    recordFlags(app.histories, app.flags, app.payload.audit, app.payload.records, this.record),
  );
  readonly unlikely = $derived.by(() => app.payload.audit.unlikely.includes(this.record));

  // That the list is confined to; null: to none, or the report does not say who belongs to which.
  readonly cohort = $derived.by(() => {
    const row = app.payload.cohorts?.rows[route.number('in', -1)];
    return row?.records ? { name: row.name, records: row.records } : null;
  });
  readonly filter: RecordFilter = $derived.by(() => {
    const length = route.get('visits');
    return {
      find: route.get('find') ?? '',
      flag: asFlag(route.get('flag')),
      length: length !== null && Object.hasOwn(lengths, length) ? length : null,
      among: this.cohort ? new Set(this.cohort.records) : null,
    };
  });
  readonly flagged = $derived.by(() => allRecordFlags(app.histories, app.flags, app.payload));
  readonly #ids = $derived.by(() => app.payload.records.steps.map((_, record) => app.idOf(record).toLowerCase()));
  readonly listed = $derived.by(() =>
    matching(this.filter, this.#ids, app.payload.records.steps, () => this.flagged, this.#finder),
  );
  // What is asked of a visit, and the first visit of a record at which it holds.
  readonly visitFilter = $derived.by(() => asVisitFilter((name) => route.get(name), app.problem, app.payload.factors));
  readonly #finder = $derived.by(() =>
    asksOfVisits(this.visitFilter)
      ? visitFinder(this.visitFilter, { problem: app.problem, factors: app.payload.factors, histories: app.histories, beliefs: app.beliefs, records: app.payload.records, mind: app.mind })
      : null,
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

  // The first visit, or the one that was searched for.
  firstVisit(record: number): number | null {
    const found = this.#finder?.(record) ?? -1;
    return found >= 0 ? found : null;
  }

  chooseRecord(record: number, visit: number | null = this.firstVisit(record)): void {
    route.choose({ record, visit, changes: null });
  }

  neighbour(by: number): number | null {
    return neighbour(this.listed, this.record, by);
  }

  passToRecord(by: number): void {
    const next = this.neighbour(by);
    if (next !== null) route.set({ record: next, visit: this.firstVisit(next), changes: null });
  }

  #first(): number {
    return app.payload.examples.typical?.record ?? 0;
  }
}
