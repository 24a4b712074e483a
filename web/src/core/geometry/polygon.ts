// Convex polygons in the plane: cut by a line, area, centre. And the affine function that has given values at given corners,
// which is how anything linear in beliefs (a boundary, a gridline) becomes a line on the screen.

export type Point = [number, number];

// x ↦ a·x + b·y + c
export interface Affine {
  a: number;
  b: number;
  c: number;
}

export function valueAt(f: Affine, [x, y]: Point): number {
  return f.a * x + f.b * y + f.c;
}

// By its values at three corners of a triangle, or at two ends of a stretch (constant across it).
export function affineThrough(corners: Point[], values: ArrayLike<number>): Affine {
  const [x0, y0] = corners[0];
  const [ux, uy] = [corners[1][0] - x0, corners[1][1] - y0];
  const du = values[1] - values[0];
  const [vx, vy] = corners.length > 2 ? [corners[2][0] - x0, corners[2][1] - y0] : [-uy, ux];
  const dv = corners.length > 2 ? values[2] - values[0] : 0;
  const determinant = ux * vy - uy * vx;
  const a = (du * vy - dv * uy) / determinant;
  const b = (dv * ux - du * vx) / determinant;
  return { a, b, c: values[0] - a * x0 - b * y0 };
}

// The part of a convex polygon where f ≥ 0; empty if there is none.
export function clipped(polygon: Point[], f: Affine): Point[] {
  const result: Point[] = [];
  polygon.forEach((here, i) => {
    const next = polygon[(i + 1) % polygon.length];
    const [now, then] = [valueAt(f, here), valueAt(f, next)];
    if (now >= 0) result.push(here);
    if ((now > 0 && then < 0) || (now < 0 && then > 0)) {
      const t = now / (now - then);
      result.push([here[0] + t * (next[0] - here[0]), here[1] + t * (next[1] - here[1])]);
    }
  });
  return result.length > 2 ? result : [];
}

// Never negative, whichever way round the corners are given.
export function area(polygon: Point[]): number {
  return Math.abs(signedArea(polygon));
}

export function centroid(polygon: Point[]): Point {
  const whole = signedArea(polygon);
  if (polygon.length < 3 || Math.abs(whole) < 1e-12) return middle(polygon);
  const [x0, y0] = polygon[0]; // sums around a corner lose fewer digits
  let [x, y] = [0, 0];
  for (let i = 1; i + 1 < polygon.length; ++i) {
    const [ux, uy] = [polygon[i][0] - x0, polygon[i][1] - y0];
    const [vx, vy] = [polygon[i + 1][0] - x0, polygon[i + 1][1] - y0];
    const part = (ux * vy - uy * vx) / 6;
    x += part * (ux + vx);
    y += part * (uy + vy);
  }
  return [x0 + x / whole, y0 + y / whole];
}

export function contains(polygon: Point[], [x, y]: Point, slack = 1e-9): boolean {
  const way = Math.sign(signedArea(polygon));
  return polygon.every(([x0, y0], i) => {
    const [x1, y1] = polygon[(i + 1) % polygon.length];
    return way * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) >= -slack * Math.hypot(x1 - x0, y1 - y0);
  });
}

export function middle(points: Point[]): Point {
  const n = Math.max(1, points.length);
  return [points.reduce((sum, p) => sum + p[0], 0) / n, points.reduce((sum, p) => sum + p[1], 0) / n];
}

export function distance(p: Point, q: Point): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1]);
}

function signedArea(polygon: Point[]): number {
  let twice = 0;
  for (let i = 1; i + 1 < polygon.length; ++i) {
    const [ux, uy] = [polygon[i][0] - polygon[0][0], polygon[i][1] - polygon[0][1]];
    const [vx, vy] = [polygon[i + 1][0] - polygon[0][0], polygon[i + 1][1] - polygon[0][1]];
    twice += ux * vy - uy * vx;
  }
  return twice / 2;
}
