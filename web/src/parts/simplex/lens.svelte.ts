// Pan and zoom of one picture.
import type { Lens } from './frame';

const most = 40;

export class LensState {
  current = $state.raw<Lens>({ zoom: 1, x: 0, y: 0 });
  readonly zoomed = $derived(this.current.zoom > 1.001);

  zoomAt(factor: number, x: number, y: number, width: number, height: number): void {
    const { zoom, x: left, y: top } = this.current;
    const next = Math.min(most, Math.max(1, zoom * factor));
    this.#show(next, x - ((x - left) * next) / zoom, y - ((y - top) * next) / zoom, width, height);
  }

  panBy(dx: number, dy: number, width: number, height: number): void {
    const { zoom, x, y } = this.current;
    this.#show(zoom, x + dx, y + dy, width, height);
  }

  // So far that the place is in sight.
  bring(px: number, py: number, width: number, height: number): void {
    const edge = 40;
    const by = (at: number, size: number) => (at < edge ? edge - at : at > size - edge ? size - edge - at : 0);
    this.panBy(by(px, width), by(py, height), width, height);
  }

  reset(): void {
    this.current = { zoom: 1, x: 0, y: 0 };
  }

  // The picture always fills its frame.
  #show(zoom: number, x: number, y: number, width: number, height: number): void {
    const within = (at: number, size: number) => Math.min(0, Math.max(size * (1 - zoom), at));
    this.current = { zoom, x: within(x, width), y: within(y, height) };
  }
}
