// A boundary under the hand: dragged or moved by arrow keys it moves the line, pressed alone it is explained.
import type { Point } from './frame';

type Actions = [number, number];

const slop = 4; // pixels a click may wander
const arrows: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class LineGrip {
  #at: Point | null = null; // of the pointer that holds it
  #wandered = 0;
  readonly #stepOf: (from: Point, to: Point) => Float64Array;
  readonly #onmove: (actions: Actions, step: Float64Array) => void;
  readonly #onchoose: (actions: Actions) => void;

  constructor(stepOf: (from: Point, to: Point) => Float64Array, onmove: (actions: Actions, step: Float64Array) => void, onchoose: (actions: Actions) => void) {
    this.#stepOf = stepOf;
    this.#onmove = onmove;
    this.#onchoose = onchoose;
  }

  down(event: PointerEvent): void {
    this.#at = [event.clientX, event.clientY];
    this.#wandered = 0;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent, actions: Actions): void {
    if (!this.#at) return;
    const now: Point = [event.clientX, event.clientY];
    this.#wandered += Math.abs(now[0] - this.#at[0]) + Math.abs(now[1] - this.#at[1]);
    if (this.#wandered > slop) this.#onmove(actions, this.#stepOf(this.#at, now));
    this.#at = now;
  }

  up(): void {
    this.#at = null;
  }

  click(actions: Actions): void {
    if (this.#wandered <= slop) this.#onchoose(actions);
    this.#wandered = 0;
  }

  press(event: KeyboardEvent, actions: Actions, [x, y]: Point): void {
    const way = arrows[event.key];
    if (event.key === 'Enter' || event.key === ' ') this.#onchoose(actions);
    else if (way) {
      const pixels = event.shiftKey ? 1 : 8;
      this.#onmove(actions, this.#stepOf([x, y], [x + pixels * way[0], y + pixels * way[1]]));
    } else return;
    event.preventDefault();
  }
}
