// Where a label fits into a region: the place with the widest room for a line of text.
import { centroid, type Point } from './polygon';

export interface LabelPlace {
  x: number; // middle of the text
  y: number;
  width: number; // available; 0: no line of this height fits, and x, y is the middle of the region
}

const ROWS = 48;

// `height`: of the text. `avoid`: points to keep clear of (handles, say), as far as that costs less than a third of the width.
export function labelPlace(polygon: Point[], height = 16, avoid: Point[] = []): LabelPlace {
  const ys = polygon.map((p) => p[1]);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const [, centre] = centroid(polygon);
  const places: LabelPlace[] = [];
  for (let row = 0; row <= ROWS; ++row) {
    const y = top + height / 2 + ((bottom - top - height) * row) / ROWS;
    const room = bottom - top > height ? roomAt(polygon, y - height / 2, y + height / 2) : null;
    if (room) places.push({ x: (room[0] + room[1]) / 2, y, width: room[1] - room[0] });
  }
  const widest = places.reduce((most, place) => Math.max(most, place.width), 0);
  if (widest <= 0) {
    const [x, y] = centroid(polygon);
    return { x, y, width: 0 };
  }
  // Among places nearly as wide as the widest the one nearest to the middle looks best.
  const wide = places.filter((place) => place.width >= 0.9 * widest);
  const clear = places.filter((place) => place.width >= 0.67 * widest && isClear(place, height, avoid));
  const candidates = clear.some((place) => wide.includes(place)) ? clear.filter((place) => wide.includes(place)) : clear;
  return (candidates.length > 0 ? candidates : wide).reduce((best, place) =>
    Math.abs(place.y - centre) < Math.abs(best.y - centre) ? place : best,
  );
}

function isClear(place: LabelPlace, height: number, avoid: Point[]): boolean {
  return avoid.every(([, y]) => Math.abs(y - place.y) > height);
}

// Left and right end of what is inside at both heights: in a convex region, inside at all heights between.
function roomAt(polygon: Point[], upper: number, lower: number): [number, number] | null {
  const [a, b] = [chordAt(polygon, upper), chordAt(polygon, lower)];
  if (!a || !b) return null;
  const room: [number, number] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  return room[1] > room[0] ? room : null;
}

function chordAt(polygon: Point[], y: number): [number, number] | null {
  let [left, right] = [Infinity, -Infinity];
  polygon.forEach(([x0, y0], i) => {
    const [x1, y1] = polygon[(i + 1) % polygon.length];
    if (Math.min(y0, y1) > y || Math.max(y0, y1) < y) return;
    for (const x of y0 === y1 ? [x0, x1] : [x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)]) {
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
  });
  return right >= left ? [left, right] : null;
}
