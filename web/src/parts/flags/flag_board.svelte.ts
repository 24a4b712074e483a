// What the flags view shows, from its thresholds in the address.
import { countBelow, countFrom, flagMargins, flagsAt, leastMoveOf, sortedAtEnds } from '../../core/flag_margins';
import { app } from '../../state/app.svelte';
import { route } from '../../state/route.svelte';
import { FlagCertainty } from './flag_certainty.svelte';
import { belatedRecords, uninformativeNodes, uninformativeRecords, type FlagFilter } from './flagged';
import { printable } from './flag_words';

export const nearRange = { min: 0.5, max: 0.99, step: 0.01 };
export const moveRange = { min: 0, max: 2, step: 0.05 };

export interface CurvePoint {
  x: number;
  y: number | null; // null: too few to show
}

const grid = ({ min, max, step }: typeof nearRange) =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, i) => Number((min + i * step).toFixed(6)));

export class FlagBoard {
  readonly certainty = new FlagCertainty();
  readonly patients = $derived.by(() => app.payload.records.steps.length);
  readonly margins = $derived.by(() => flagMargins(app.histories, app.mind, app.payload.audit));
  // As in the program's own tables, if the address says nothing else.
  readonly usualCertainty = $derived.by(() => app.payload.audit.certainty ?? 0);
  readonly certain = $derived.by(() => Math.min(1, Math.max(0, route.number('certain', this.usualCertainty))));
  // Draws are of the fitted policy: they say nothing about one moved by hand.
  readonly canAskCertainty = $derived(app.draws.length > 0 && !app.hypothetical);
  readonly filter: FlagFilter = $derived.by(() => ({
    nearCertain: app.nearCertain,
    insignificant: app.insignificant,
    certain: this.certain,
    certainty: this.canAskCertainty && this.certain > 0 ? this.certainty.result : null,
  }));

  readonly belated = $derived.by(() => belatedRecords(app.histories, this.margins, this.filter));
  readonly #marked = $derived.by(() => uninformativeNodes(app.histories, this.margins, this.filter));
  readonly uninformative = $derived.by(() => uninformativeRecords(app.histories, this.margins, this.#marked));
  // The page's own flags (app.flags), without walking the histories at every step of a slider.
  readonly flags = $derived.by(() =>
    flagsAt(this.margins, { nearCertain: app.nearCertain, insignificant: app.insignificant }),
  );
  readonly leastMove = $derived.by(() => leastMoveOf(this.margins, app.insignificant));

  readonly #sureness = $derived.by(() => sortedAtEnds(app.histories, this.margins.sureness));
  readonly #reach = $derived.by(() => sortedAtEnds(app.histories, this.margins.leastReach));

  // How many patients would be flagged at each threshold, whatever the certainty.
  readonly belatedCurve: CurvePoint[] = $derived.by(() =>
    grid(nearRange).map((x) => ({ x, y: this.print(countFrom(this.#sureness, x)) })),
  );
  readonly uninformativeCurve: CurvePoint[] = $derived.by(() =>
    grid(moveRange).map((x) => ({ x, y: this.print(countBelow(this.#reach, leastMoveOf(this.margins, x))) })),
  );
  readonly belatedHere = $derived.by(() => this.print(countFrom(this.#sureness, app.nearCertain)));
  readonly uninformativeHere = $derived.by(() => this.print(countBelow(this.#reach, this.leastMove)));

  print(n: number): number | null {
    return printable(n, app.payload.individual, app.payload.min_cell);
  }

  isMarked(node: number): boolean {
    return this.#marked[node] === 1;
  }

  // Where a link to another view should look from: with the same thresholds.
  link(view: 'patient' | 'why', record: number, visit: number): string {
    return route.link(view, { record, visit, near: route.get('near'), move: route.get('move') });
  }
}
