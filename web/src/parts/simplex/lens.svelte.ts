// Pan and zoom of one picture: its own, or where the picture is the view's own, the address's.
import { route } from '../../state/route.svelte';
import type { Lens } from './frame';
import { asLens, lensText, mostZoom, wholePicture } from './kept_place';

export class LensState {
  #own = $state.raw<Lens>(wholePicture);

  constructor(
    private readonly kept: () => boolean,
    private readonly size: () => { width: number; height: number },
  ) {}

  readonly current = $derived.by((): Lens => (this.kept() ? asLens(route.get('zoom'), this.size()) : this.#own));
  readonly zoomed = $derived.by(() => this.current.zoom > 1.001);

  zoomAt(factor: number, x: number, y: number): void {
    const { zoom, x: left, y: top } = this.current;
    const next = Math.min(mostZoom, Math.max(1, zoom * factor));
    this.#show(next, x - ((x - left) * next) / zoom, y - ((y - top) * next) / zoom);
  }

  panBy(dx: number, dy: number): void {
    const { zoom, x, y } = this.current;
    this.#show(zoom, x + dx, y + dy);
  }

  // So far that the place is in sight.
  bring(px: number, py: number): void {
    const edge = 40;
    const { width, height } = this.size();
    const by = (at: number, size: number) => (at < edge ? edge - at : at > size - edge ? size - edge - at : 0);
    this.panBy(by(px, width), by(py, height));
  }

  reset(): void {
    this.#set(wholePicture);
  }

  // The picture always fills its frame.
  #show(zoom: number, x: number, y: number): void {
    const { width, height } = this.size();
    const within = (at: number, size: number) => Math.min(0, Math.max(size * (1 - zoom), at));
    this.#set({ zoom, x: within(x, width), y: within(y, height) });
  }

  #set(lens: Lens): void {
    if (this.kept()) route.set({ zoom: lensText(lens, this.size()) });
    else this.#own = lens;
  }
}
