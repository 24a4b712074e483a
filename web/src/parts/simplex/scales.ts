// The scales of a panel at any fineness, from its ticks at tenths (core/geometry/ticks.ts).
import { ticksOn, type Tick } from '../../core/geometry/ticks';
import type { Panel } from '../../core/geometry/simplex_layout';
import type { Point } from './frame';

export interface Mark {
  key: string;
  corner: number;
  share: number;
  at: Point; // on the side
  to: Point; // the other end of its gridline
  direction: Point; // outwards, along the gridline
  labelled: boolean;
}

export interface Scale {
  corner: number;
  side: [number, number];
  markAt(share: number): Pick<Mark, 'at' | 'to' | 'direction'>;
}

export function scalesOf(panel: Panel): Scale[] {
  const groups = new Map<string, Tick[]>();
  for (const tick of ticksOn(panel)) {
    const key = `${tick.side.join('-')}>${tick.corner}`;
    groups.set(key, [...(groups.get(key) ?? []), tick]);
  }
  return [...groups.values()].map((ticks) => scaleOf(ticks));
}

// `pixels`: length of a side on screen. Labels need room, lines do not.
export function marksOf(scale: Scale, pixels: number): Mark[] {
  const step = pixels > 6000 ? 0.01 : pixels > 2400 ? 0.02 : pixels > 1200 ? 0.05 : 0.1;
  const every = pixels * step >= 34 ? 1 : pixels * step >= 17 ? 2 : 5;
  const count = Math.round(1 / step);
  return Array.from({ length: count - 1 }, (_, i) => {
    const share = (i + 1) / count;
    return {
      key: `${scale.side.join('-')}-${scale.corner}-${share}`,
      corner: scale.corner,
      share,
      ...scale.markAt(share),
      labelled: (i + 1) % every === 0,
    };
  });
}

// The scale a reader would follow for each corner: with a right angle, its two legs.
export function readingScales(panel: Panel): Scale[] {
  const byCorner = new Map<number, Scale>();
  for (const scale of scalesOf(panel)) byCorner.set(scale.corner, scale);
  return [...byCorner.values()];
}

function scaleOf(ticks: Tick[]): Scale {
  const [first, last] = [ticks[0], ticks[ticks.length - 1]];
  const along = (p: Point, q: Point, share: number): Point => {
    const t = (share - first.share) / (last.share - first.share);
    return [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
  };
  return {
    corner: first.corner,
    side: first.side,
    markAt: (share) => ({
      at: along(first.at, last.at, share),
      to: along(first.to, last.to, share),
      direction: first.direction,
    }),
  };
}
