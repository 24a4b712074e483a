// What the reader chose on the policy map, read from the address, with what suits the data where nothing was chosen.
import { kindsFor, layoutFor, type Layout, type LayoutKind } from '../../core/geometry/simplex_layout';
import { mindIn, type Mind } from '../../core/model';
import { app } from '../../state/app.svelte';
import { route } from '../../state/route.svelte';
import { asContext, contextChoices, contextWords } from './map_context';

const names: Record<LayoutKind, string> = {
  interval: 'Interval',
  triangle: 'Triangle',
  right: 'Right-angled',
  faces: 'Faces',
  'two-plus-rest': 'Two states + rest',
};

// Beyond these, dots would lie on one another and panning would stutter.
const mostVisits = 20_000;
const mostPoints = 3_000;

export class MapChoice {
  readonly kinds = $derived.by((): { kind: LayoutKind; name: string }[] => {
    const S = app.problem.S;
    const kinds = kindsFor(S);
    if (S === 3) kinds.push('two-plus-rest');
    return kinds.map((kind) => ({ kind, name: kind === 'faces' && S === 4 ? 'Four faces' : names[kind] }));
  });
  readonly kind = $derived.by((): LayoutKind => {
    const asked = route.get('layout') === 'two' ? 'two-plus-rest' : route.get('layout');
    return this.kinds.find(({ kind }) => kind === asked)?.kind ?? this.kinds[0].kind;
  });
  readonly asksFocus = $derived(app.problem.S > 2 && (this.kind === 'two-plus-rest' || this.kind === 'interval' || app.problem.S > 4));
  readonly focus = $derived.by((): number[] => {
    const asked = (route.get('focus') ?? '').split(',').map(Number);
    const good = asked.length === 2 && asked[0] !== asked[1] && asked.every((s) => Number.isInteger(s) && s >= 0 && s < app.problem.S);
    return good ? asked : [0, Math.min(1, app.problem.S - 1)];
  });
  readonly focusText = $derived(this.focus.join(','));
  readonly layout: Layout = $derived.by(() => layoutFor(app.problem, this.kind, this.asksFocus ? this.focus : [], averageBelief()));

  readonly tooMany = $derived(app.visitTotal > mostVisits || app.histories.count > mostPoints);
  readonly show = $derived.by((): 'points' | 'density' | 'none' => {
    const asked = route.get('show');
    if (asked === 'none') return 'none';
    return asked === 'density' || this.tooMany ? 'density' : 'points';
  });
  readonly fade = $derived(route.get('fade') !== 'no');
  readonly ordered = $derived(app.problem.S > 2 && route.get('lens') === 'ordered');
  readonly arrows = $derived.by((): number | null => {
    const action = route.number('arrows', -1);
    return Number.isInteger(action) && action >= 0 && action < app.problem.A && !app.problem.terminal[action] ? action : null;
  });
  readonly boundary = $derived.by((): [number, number] | null => {
    const pair = (route.get('boundary') ?? '').split('-').map(Number);
    const good = pair.length === 2 && pair.every((a) => Number.isInteger(a) && a >= 0 && a < app.problem.A);
    return good && pair[0] !== pair[1] ? [pair[0], pair[1]] : null;
  });

  // What the policy follows beside beliefs, and what of it the map is drawn with; null: with belief alone.
  readonly contexts = $derived(contextChoices(app.problem, app.fitted.policy.terms));
  readonly choosesContext = $derived(this.contexts.lastActions.length > 0 || this.contexts.steps.length > 0 || this.contexts.missing);
  readonly context = $derived(asContext(this.contexts, route.get('after'), route.get('step'), route.get('missing') === '1'));
  readonly contextWords = $derived(contextWords(app.problem, this.contexts, this.context));
  readonly fitted: Mind = $derived(mindIn(app.fitted, this.context));
  readonly mind: Mind = $derived(mindIn(app.mind, this.context));
  readonly draws: Mind[] = $derived(app.hypothetical ? [] : app.draws.map((draw) => mindIn(draw, this.context)));

  choose(kind: LayoutKind): void {
    route.choose({ layout: kind === 'two-plus-rest' ? 'two' : kind });
  }

  chooseBoundary(pair: [number, number] | null): void {
    route.set({ boundary: pair ? pair.join('-') : null });
  }
}

// How all patients' visits share the states: "all others" is divided as the data have it.
function averageBelief(): Float64Array {
  const { S } = app.problem;
  const sum = new Float64Array(S);
  app.visits.forEach((visits, node) => {
    for (let s = 0; s < S; ++s) sum[s] += visits * app.beliefs[node * S + s];
  });
  return sum;
}
