// Where patients' beliefs lie, as a handful of SVG paths: thousands of elements would make panning slow.
import { densityBins } from '../../../core/geometry/bins';
import type { Panel } from '../../../core/geometry/simplex_layout';
import type { Point } from '../frame';

export interface Cloud {
  beliefs: Float64Array; // [i·S + s]
  S: number;
  visits: ArrayLike<number>; // [i]: how many stand behind each
}

export interface DotClass {
  path: string;
  size: number; // pixels across
}

export interface DensityClass {
  path: string;
  opacity: number;
  most: number; // visits in one bin of this class, at most
}

const sizes = [2.6, 4, 5.6, 7.6, 10];
const leastShare = 0.5; // on a face: at least half of the belief lies on it

// A dot per distinct place, its area growing with the visits behind it.
export function dotClasses(panel: Panel, cloud: Cloud, place: (p: Point) => Point): DotClass[] {
  const places = distinctPlaces(panel, cloud);
  const paths = sizes.map(() => '');
  for (const { point, visits } of places.values()) {
    const [x, y] = place(point);
    const size = Math.min(sizes.length - 1, Math.floor(Math.log2(visits) / 2));
    paths[size] += `M${x.toFixed(1)} ${y.toFixed(1)}h0`;
  }
  return paths.map((path, i) => ({ path, size: sizes[i] })).filter(({ path }) => path !== '');
}

export function densityClasses(panel: Panel, cloud: Cloud, place: (p: Point) => Point, size: number): DensityClass[] {
  const { bins, most } = densityBins(panel, cloud.beliefs, cloud.S, cloud.visits, size, leastShare);
  const steps = 6;
  const paths = Array.from({ length: steps }, () => '');
  // On a logarithmic scale: a few places hold most visits, and the rest would vanish.
  const rank = (count: number) => (most > 1 ? Math.min(steps - 1, Math.floor((steps * Math.log(count)) / Math.log(most))) : 0);
  for (const bin of bins) {
    const corners = bin.cell.map((corner) => place(corner));
    paths[rank(bin.count)] += `M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
  }
  return paths
    .map((path, i) => ({ path, opacity: 0.12 + (0.7 * i) / (steps - 1), most: Math.round(most ** ((i + 1) / steps)) }))
    .filter(({ path }) => path !== '');
}

export function isOn(panel: Panel, belief: Float64Array): boolean {
  const share = panel.share(belief);
  return share > 0 && share >= leastShare - 1e-9;
}

// Places closer than this cannot be told apart on any screen.
const grain = 0.5;

function distinctPlaces(panel: Panel, { beliefs, S, visits }: Cloud): Map<string, { point: Point; visits: number }> {
  const places = new Map<string, { point: Point; visits: number }>();
  for (let i = 0; i < visits.length; ++i) {
    if (!(visits[i] > 0)) continue;
    const belief = beliefs.subarray(i * S, (i + 1) * S);
    if (!isOn(panel, belief)) continue;
    const point = panel.project(belief);
    const key = `${Math.round(point[0] / grain)} ${Math.round(point[1] / grain)}`;
    const known = places.get(key);
    if (known) known.visits += visits[i];
    else places.set(key, { point, visits: visits[i] });
  }
  return places;
}
