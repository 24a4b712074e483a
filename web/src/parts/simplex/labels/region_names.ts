// Names of regions, where they have the most room in sight.
import { labelPlace } from '../../../core/geometry/region_label';
import type { Region } from '../../../core/geometry/regions';
import type { Frame, Point } from '../frame';
import { shortened, textWidth, type LabelBox } from './label_place';

const letter = 7.6; // on average

export interface RegionName extends LabelBox {
  action: number;
  text: string;
}

export function regionNames(
  frame: Frame,
  regions: Region[],
  actions: string[],
  avoid: Point[],
  visible: { width: number; height: number },
): RegionName[] {
  return regions.flatMap(({ action, polygon }) => {
    const place = labelPlace(inSight(polygon.map((point) => frame.at(point)), visible), 22, avoid);
    if (place.width <= 24) return [];
    // A short name may reach over the edge a little; of a long one as much is shown as has room.
    const name = actions[action];
    const fits = name.length <= 7 || textWidth(name, letter) <= place.width + 20;
    const text = fits ? name : shortened(name, Math.max(4, Math.floor(place.width / letter)));
    return [{ action, text, x: place.x, y: place.y, width: textWidth(text, letter), height: 18 }];
  });
}

// The part of a convex polygon inside the picture's frame: zoomed in, names stay in sight.
function inSight(polygon: Point[], visible: { width: number; height: number }): Point[] {
  const inside: ((p: Point) => number)[] = [
    (p) => p[0],
    (p) => visible.width - p[0],
    (p) => p[1],
    (p) => visible.height - p[1],
  ];
  const kept = inside.reduce((points, f) => cutBy(points, f), polygon);
  return kept.length > 2 ? kept : polygon;
}

function cutBy(points: Point[], inside: (p: Point) => number): Point[] {
  return points.flatMap((p, i) => {
    const q = points[(i + 1) % points.length];
    const [f, g] = [inside(p), inside(q)];
    const t = f / (f - g);
    const crossing: Point[] = f >= 0 !== g >= 0 ? [[p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]] : [];
    return f >= 0 ? [p, ...crossing] : crossing;
  });
}
