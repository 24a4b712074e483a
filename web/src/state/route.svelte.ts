// What the reader looks at, as a view and its parameters, mirrored in the address (`#/patient?record=3&visit=2`): a link
// brings anyone with the same file to the same picture, and the back button works.

import { formatHash, parseHash, type Parameters, type Place, type ViewName } from './hash';

export { viewNames, type Parameters, type ViewName } from './hash';

// Belongs to the reader, not to a view: kept when the view changes.
const kept = ['theme', 'means', 'warnings'];

// Browsers refuse an address that changes at every step of a slider; it follows a moment later (milliseconds).
const kPause = 150;

class Route {
  #pending: { from: string; to: string } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #place = $state.raw<Place>({ view: 'start', parameters: {} });

  get view(): ViewName {
    return this.#place.view;
  }

  get(name: string): string | null {
    return this.#place.parameters[name] ?? null;
  }

  number(name: string, fallback: number): number {
    const text = this.get(name);
    const value = text === null ? NaN : Number(text);
    return Number.isFinite(value) ? value : fallback;
  }

  // The address of another place, for <a href>.
  link(view: ViewName, parameters: Parameters = {}): string {
    return formatHash(view, { ...this.#keptOnes(), ...parameters });
  }

  // A step the back button undoes.
  go(view: ViewName, parameters: Parameters = {}): void {
    this.#show(this.link(view, parameters), 'pushState');
  }

  // Parameters of this view, without a step of history: for sliders and hovering.
  set(parameters: Parameters): void {
    this.#show(formatHash(this.view, { ...this.#place.parameters, ...parameters }), 'replaceState');
  }

  // Parameters of this view, as a step the back button undoes: for selections.
  choose(parameters: Parameters): void {
    this.#show(formatHash(this.view, { ...this.#place.parameters, ...parameters }), 'pushState');
  }

  // Follows the address from now on.
  follow(): void {
    const read = () => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#pending = null; // the reader has gone elsewhere
      this.#place = parseHash(location.hash);
    };
    window.addEventListener('hashchange', read);
    window.addEventListener('popstate', read);
    read();
  }

  #keptOnes(): Parameters {
    return Object.fromEntries(kept.map((name) => [name, this.get(name)]));
  }

  #show(hash: string, step: 'pushState' | 'replaceState'): void {
    this.#place = parseHash(hash);
    if (step === 'replaceState') {
      this.#pending = { from: this.#pending?.from ?? location.hash, to: hash };
      this.#timer ??= setTimeout(() => this.#writeAddress(), kPause);
      return;
    }
    this.#writeAddress();
    if (hash !== location.hash) history.pushState(null, '', hash);
  }

  #writeAddress(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A link that was followed meanwhile has changed the address already: it stands.
    if (this.#pending?.from === location.hash) history.replaceState(null, '', this.#pending.to);
    this.#pending = null;
  }
}

export const route = new Route();
