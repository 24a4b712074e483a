// Scales on the sides of a panel: for 10, 20 … 90% a gridline, a tick that points along it, and where its label goes. Each side
// is the scale of one state, so that a reader follows the tick into the picture and arrives at the right line.
import { distance, type Point } from './polygon';
import type { Panel } from './panel';

export type Anchor = 'start' | 'middle' | 'end';

export interface Tick {
  side: [number, number]; // corners it lies between
  corner: number; // whose share it tells
  share: number; // 0.1 … 0.9
  at: Point; // on the side
  to: Point; // the other end of the gridline
  direction: Point; // of the tick, out of the panel along the gridline; length 1
  label: string | null; // null where there is no room
  labelAt: Point; // middle of its height
  anchor: Anchor;
}

export interface CornerLabel {
  corner: number;
  text: string;
  at: Point; // middle of its height
  anchor: Anchor;
}

const TICK = 7; // length
const GAP = 5; // between tick and label
const ROOM = 34; // between ticks, for a label at each of them

export function ticksOn(panel: Panel): Tick[] {
  return panel.shape === 'bar' ? barTicks(panel) : scales(panel).flatMap((scale) => triangleTicks(panel, scale));
}

// Names of the corners, clear of the ticks.
export function cornerLabels(panel: Panel): CornerLabel[] {
  const heights = panel.outline.map((p) => p[1]);
  const bottom = Math.max(...heights);
  if (panel.shape === 'bar') {
    return panel.corners.map(([x, y], corner) => {
      const first = corner === 0;
      return { corner, text: panel.labels[corner], at: [first ? x - 8 : x + 8, y], anchor: first ? 'end' : 'start' };
    });
  }
  return panel.corners.map(([x, y], corner) => {
    const low = Math.abs(y - bottom) < 1e-6;
    return { corner, text: panel.labels[corner], at: [x, low ? y + 38 : y - 16], anchor: 'middle' };
  });
}

interface Scale {
  from: number; // the side begins here, at 0%
  to: number; // and ends here, at 100% of this corner
  third: number; // gridlines go to the side between `to` and this corner
}

// Around the triangle, each side tells the corner it leads to. With a right angle the two legs are axes, read as usual, and the
// long side repeats the upright one: no gridline of the corner with the right angle ever meets it.
function scales(panel: Panel): Scale[] {
  if (panel.shape === 'right') {
    return [
      { from: 0, to: 1, third: 2 },
      { from: 1, to: 2, third: 0 },
      { from: 0, to: 2, third: 1 },
    ];
  }
  return [
    { from: 0, to: 1, third: 2 },
    { from: 1, to: 2, third: 0 },
    { from: 2, to: 0, third: 1 },
  ];
}

function triangleTicks(panel: Panel, { from, to, third }: Scale): Tick[] {
  const [a, b, c] = [panel.corners[from], panel.corners[to], panel.corners[third]];
  const roomy = distance(a, b) / 10 >= ROOM;
  return tenths().map((share) => {
    const [at, end] = [between(a, b, share), between(c, b, share)];
    const length = distance(at, end);
    const direction: Point = [(at[0] - end[0]) / length, (at[1] - end[1]) / length];
    return {
      side: [from, to],
      corner: to,
      share,
      at,
      to: end,
      direction,
      ...labelled(at, direction, share, roomy),
    };
  });
}

// Below the bar the belief in the right corner, above it that in the left one.
function barTicks(panel: Panel): Tick[] {
  const heights = panel.outline.map((p) => p[1]);
  const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
  const [[x0], [x1]] = panel.corners;
  const roomy = Math.abs(x1 - x0) / 10 >= ROOM;
  return [1, 0].flatMap((corner) =>
    tenths().map((share): Tick => {
      const x = corner === 1 ? x0 + share * (x1 - x0) : x1 + share * (x0 - x1);
      const [at, to]: [Point, Point] = corner === 1 ? [[x, bottom], [x, top]] : [[x, top], [x, bottom]];
      const direction: Point = [0, corner === 1 ? 1 : -1];
      return { side: [0, 1], corner, share, at, to, direction, ...labelled(at, direction, share, roomy) };
    }),
  );
}

function labelled(at: Point, direction: Point, share: number, roomy: boolean): Pick<Tick, 'label' | 'labelAt' | 'anchor'> {
  const tenth = Math.round(share * 10);
  const sideways = Math.abs(direction[0]) > 0.3;
  // Text hangs on its middle height: where the tick goes up or down, half a line more keeps it clear.
  const away = TICK + GAP + (sideways ? 0 : 4);
  return {
    label: roomy || tenth % 2 === 0 ? `${tenth * 10}%` : null,
    labelAt: [at[0] + away * direction[0], at[1] + away * direction[1]],
    anchor: !sideways ? 'middle' : direction[0] > 0 ? 'start' : 'end',
  };
}

function tenths(): number[] {
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n / 10);
}

function between(p: Point, q: Point, share: number): Point {
  return [p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])];
}
