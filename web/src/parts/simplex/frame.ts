// From the geometry of a panel (core/geometry, in units of its own) to pixels: letters keep their size on every screen,
// only the picture between them grows.
import type { Layout, Panel } from '../../core/geometry/simplex_layout';
import type { Point } from '../../core/geometry/polygon';

export type { Point };

export interface Lens {
  zoom: number;
  x: number;
  y: number;
}

export interface Frame {
  panel: Panel;
  scale: number; // pixels per unit, before zooming
  side: number; // pixels of the longest side, before zooming
  room: [number, number]; // from where to where it may write across: its column, on screen; the whole picture if it is alone
  place(point: Point): Point; // before zooming
  at(point: Point): Point; // on screen
  back(pixel: Point): Point;
}

export interface Sheet {
  width: number;
  height: number;
  frames: Omit<Frame, 'at' | 'back'>[];
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const wide = { left: 62, right: 62, top: 34, bottom: 58 };
const narrow = { left: 46, right: 46, top: 30, bottom: 54 };
const bare = { left: 26, right: 26, top: 26, bottom: 30 }; // corners have names, sides no scales
const largestSide = 600;
const beyond = 0.32; // how far outside a triangle means are still shown in place, in sides

// `guests`: points (means) that should be in sight too, where there is room.
export function sheetFor(
  layout: Layout,
  width: number,
  compact = false,
  guests: (panel: Panel) => Point[] = () => [],
): Sheet {
  const columns = layout.panels.length > 1 && width >= 560 ? 2 : 1;
  const column = width / columns;
  const margin = compact ? bare : column >= 480 ? wide : narrow;
  const rows: number[] = [];
  const frames = layout.panels.map((panel, index) => {
    const outline = boxOf(panel.outline);
    const box = column >= 480 ? withGuests(outline, guests(panel)) : outline;
    const side = Math.max(outline.right - outline.left, 1);
    const own = marginsFor(margin, outline, box, column);
    const room = column - own.left - own.right;
    const scale = Math.min(room / (box.right - box.left), largestSide / side);
    const slack = (room - scale * (box.right - box.left)) / 2;
    const row = Math.floor(index / columns);
    const tall = scale * (box.bottom - box.top) + own.top + own.bottom;
    rows[row] = Math.max(rows[row] ?? 0, tall);
    const above = rows.slice(0, row).reduce((sum, height) => sum + height, 0);
    const left = (index % columns) * column + own.left + slack - scale * box.left;
    const top = above + own.top - scale * box.top;
    const place = ([x, y]: Point): Point => [left + scale * x, top + scale * y];
    const across: [number, number] = columns > 1 ? [(index % columns) * column, ((index % columns) + 1) * column] : [0, width];
    return { panel, scale, side: scale * side, place, room: across };
  });
  return { width, height: rows.reduce((sum, height) => sum + height, 0), frames };
}

export function focused(sheet: Sheet, lens: Lens): Frame[] {
  return sheet.frames.map((frame) => {
    const origin = frame.place([0, 0]);
    const alone = frame.room[1] - frame.room[0] >= sheet.width;
    return {
      ...frame,
      room: alone ? frame.room : [frame.room[0] * lens.zoom + lens.x, frame.room[1] * lens.zoom + lens.x],
      at: (point) => {
        const [x, y] = frame.place(point);
        return [x * lens.zoom + lens.x, y * lens.zoom + lens.y];
      },
      back: ([x, y]) => [
        ((x - lens.x) / lens.zoom - origin[0]) / frame.scale,
        ((y - lens.y) / lens.zoom - origin[1]) / frame.scale,
      ],
    };
  });
}

export function boxOf(points: Point[]): Box {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

export const polygonText = (points: Point[]): string => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');

export const lineText = (points: Point[]): string =>
  points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

// Scales and names stand in the margins of the triangle; where a guest reaches farther out it needs less around it.
function marginsFor(usual: Box, outline: Box, box: Box, width: number): Box {
  const scale = (width - usual.left - usual.right) / (box.right - box.left);
  const least = { left: 46, right: 46, top: 30, bottom: 34 };
  const left = (name: keyof Box) => {
    const taken = Math.abs(outline[name] - box[name]) * scale;
    return taken > 0 ? Math.max(least[name], usual[name] - taken) : usual[name];
  };
  return { left: left('left'), right: left('right'), top: left('top'), bottom: left('bottom') };
}

function withGuests(box: Box, guests: Point[]): Box {
  const reach = beyond * (box.right - box.left);
  const all = boxOf([[box.left, box.top], [box.right, box.bottom], ...guests]);
  return {
    left: Math.max(all.left, box.left - reach),
    right: Math.min(all.right, box.right + reach),
    top: Math.max(all.top, box.top - reach),
    bottom: Math.min(all.bottom, box.bottom + reach),
  };
}
