// Labels that stand where nothing else does.
import type { Point } from '../frame';

// A rectangle, by its middle.
export interface LabelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const textWidth = (text: string, perLetter: number): number => perLetter * text.length;

export function meet(a: LabelBox, b: LabelBox): boolean {
  return 2 * Math.abs(a.x - b.x) < a.width + b.width && 2 * Math.abs(a.y - b.y) < a.height + b.height;
}

// Pixels from a point to the nearest edge of a box; 0: inside.
export function distanceTo(box: LabelBox, [x, y]: Point): number {
  const dx = Math.max(0, Math.abs(x - box.x) - box.width / 2);
  const dy = Math.max(0, Math.abs(y - box.y) - box.height / 2);
  return Math.hypot(dx, dy);
}

// The first of the places at which the label lies in sight and meets nothing; null: there is none.
export function freePlace(
  size: { width: number; height: number },
  places: Point[],
  taken: LabelBox[],
  visible: { width: number; height: number },
): Point | null {
  const inSight = ([x, y]: Point) =>
    x >= size.width / 2 && x <= visible.width - size.width / 2 && y >= size.height / 2 && y <= visible.height - size.height / 2;
  return places.find(([x, y]) => inSight([x, y]) && !taken.some((box) => meet({ x, y, ...size }, box))) ?? null;
}

// Around a mark, best first: above or below (`way`: 1 is below), then beside it, then farther off.
export function placesAround([x, y]: Point, size: { width: number; height: number }, way: 1 | -1): Point[] {
  const beside = size.width / 2 + 15;
  const slanting = size.width / 2 + 8;
  const near = [way, -way].map((side): Point => [x, y + 23 * side]);
  const level = [1, -1].map((side): Point => [x + side * beside, y]);
  const around = [way, -way].flatMap((up) => [1, -1].map((side): Point => [x + side * slanting, y + 17 * up]));
  const far = [40, 58].flatMap((away) => [way, -way].map((side): Point => [x, y + away * side]));
  return [...near, ...level, ...around, ...far];
}

// As much of a name as has room, with the end of it left open.
export function shortened(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1)).trimEnd()}…`;
}
