// What every view reads: the payload and all that follows from it. Each quantity is computed when first asked for and
// again only when something it depends on has changed.
import { nodeFlags } from '../core/flags';
import { beliefsAt, buildHistories, decisionsAt, stepsOf, type Step } from '../core/histories';
import { mindOf, mindsOfDraws, problemOf, withMean, worldOf, type Mind } from '../core/model';
import type { Payload } from '../core/payload';
import { inWords, payloadInWords } from './study_words';
import { lineMoved, meansText, parseMeans, type MovedMeans } from './moved_means';
import { route } from './route.svelte';

// As many as the program judges flags by.
const kDrawsOfPictures = 100;

function evenly<T>(all: T[], most: number): T[] {
  return all.length <= most ? all : Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]);
}

class App {
  #payload = $state.raw<Payload | null>(null);
  // Means moved by hand, by action: "what if the clinicians had decided like this". The address has them.
  readonly #dragged: MovedMeans = $derived.by(() => (this.loaded ? parseMeans(route.get('means'), this.problem.A, this.problem.S) : {}));

  readonly loaded = $derived(this.#payload !== null);
  readonly problem = $derived.by(() => problemOf(this.payload.model));
  readonly fitted = $derived.by(() => mindOf(this.payload.model));
  readonly world = $derived.by(() => worldOf(this.payload.model));
  // All that the file has, for intervals of single records; and a part of them for what looks at every history or belief.
  readonly allDraws = $derived.by(() => mindsOfDraws(this.payload.model, this.payload.draws));
  readonly draws = $derived.by(() => evenly(this.allDraws, kDrawsOfPictures));
  readonly hypothetical = $derived(Object.keys(this.#dragged).length > 0);
  readonly mind: Mind = $derived.by(() => {
    let mind = this.fitted;
    for (const [action, mean] of Object.entries(this.#dragged)) mind = withMean(mind, Number(action), mean);
    return mind;
  });

  readonly histories = $derived.by(() => buildHistories(this.payload.records, this.problem));
  // Means move decisions, not beliefs: dragging leaves these alone.
  readonly beliefs: Float64Array = $derived.by(() => beliefsAt(this.histories, this.fitted));

  // The second model, where there is one, and what it believes at every history.
  readonly other: Mind | null = $derived.by(() => (this.payload.beside ? mindOf(this.payload.beside.model) : null));
  readonly otherDraws = $derived.by(() => (this.payload.beside ? mindsOfDraws(this.payload.beside.model, this.payload.beside.draws) : []));
  readonly otherBeliefs: Float64Array = $derived.by(() => (this.other ? beliefsAt(this.histories, this.other) : new Float64Array(0)));

  // [node]: decisions made there, by all patients.
  readonly visits = $derived.by(() => Int32Array.from({ length: this.histories.count }, (_, node) => decisionsAt(this.histories, node)));
  readonly visitTotal = $derived.by(() => this.visits.reduce((sum, visits) => sum + visits, 0));

  readonly nearCertain = $derived.by(() => route.number('near', this.payload.audit.near_certain));
  readonly insignificant = $derived.by(() => route.number('move', this.payload.audit.insignificant));
  readonly flags = $derived.by(() =>
    nodeFlags(
      this.histories,
      this.mind,
      this.payload.audit,
      { nearCertain: this.nearCertain, insignificant: this.insignificant },
      this.beliefs,
    ),
  );

  // Only views call this, and they are shown only once there is a payload.
  get payload(): Payload {
    if (!this.#payload) throw new Error('The data have not been read yet.');
    return this.#payload;
  }

  load(payload: Payload): void {
    if (this.loaded) this.resetMeans(); // they were another fit's
    this.#payload = payloadInWords(payload);
  }

  setMean(action: number, mean: ArrayLike<number>): void {
    route.set({ means: meansText({ ...this.#dragged, [action]: Array.from(mean) }) });
  }

  // The line between two actions, by a step of belief.
  moveLine([a, b]: [number, number], step: ArrayLike<number>): void {
    const [first, second] = lineMoved(this.mind.policy.means[a], this.mind.policy.means[b], step);
    route.set({ means: meansText({ ...this.#dragged, [a]: first, [b]: second }) });
  }

  resetMeans(): void {
    route.set({ means: null });
  }

  steps(record: number): Step[] {
    return stepsOf(this.payload.records, record, this.problem.Z);
  }

  idOf(record: number): string {
    return this.payload.records.ids?.[record] ?? `${inWords('Patient', this.payload.words)} ${record + 1}`;
  }

  visitName(record: number, visit: number): string {
    return this.payload.records.visits?.[record]?.[visit] ?? `${inWords('Visit', this.payload.words)} ${visit + 1}`;
  }
}

export const app = new App();
