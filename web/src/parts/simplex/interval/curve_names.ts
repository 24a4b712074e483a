// Names of curves: each beside its own, nearer to it than to any other, and clear of everything drawn.
import type { Point } from '../frame';
import { distanceTo, freePlace, textWidth, type LabelBox } from '../labels/label_place';

export interface CurveNamesAsked {
  names: string[];
  curves: Point[][]; // [name]: from left to right
  lines: number[]; // where a line runs from top to bottom
  room: { left: number; right: number; top: number; bottom: number };
}

// null: a name that has no place.
export function curveNames({ names, curves, lines, room }: CurveNamesAsked): (Point | null)[] {
  const tall = room.bottom - room.top;
  const taken: LabelBox[] = [
    ...curves.flat().map(([x, y]) => ({ x, y, width: 5, height: 5 })),
    ...lines.map((x) => ({ x, y: room.top + tall / 2, width: 12, height: tall })),
    { x: room.left / 2, y: room.top + tall / 2, width: room.left, height: tall }, // the scale
  ];
  return names.map((name, own) => {
    const size = { width: textWidth(name, 7.2) + 6, height: 15 };
    const near = places(curves[own], size.width, room).filter((place) => belongs({ x: place[0], y: place[1], ...size }, curves, own));
    const place = freePlace(size, near, taken, { width: room.right, height: room.bottom });
    if (place) taken.push({ x: place[0], y: place[1], ...size });
    return place;
  });
}

// Below where the curve stands highest; then beside it, from its top down.
function places(curve: Point[], width: number, { left, right, top }: CurveNamesAsked['room']): Point[] {
  const seen = curve.filter(([x]) => x >= left && x <= right);
  const all = seen.length > 0 ? seen : curve;
  const highest = Math.min(...all.map(([, y]) => y));
  const plateau = all.filter(([, y]) => y < highest + 1);
  const [x, y] = plateau[Math.floor(plateau.length / 2)];
  const under = Array.from({ length: 21 }, (_, i) => 12 * i)
    .flatMap((dx) => [dx, -dx])
    .map((dx): Point => [x + dx, y < top + 24 ? y + 14 : y - 9]);
  const down = [...all].sort((p, q) => p[1] - q[1]);
  const beside = [6, 12, 18, 26].flatMap((gap) =>
    down.flatMap(([px, py]) => [1, -1].map((side): Point => [px + side * (width / 2 + gap), py])),
  );
  return [...under, ...beside];
}

function belongs(box: LabelBox, curves: Point[][], own: number): boolean {
  const away = curves.map((curve) => Math.min(...curve.map((point) => distanceTo(box, point))));
  return away[own] <= 24 && away.every((distance, i) => i === own || away[own] < distance);
}
