// The rooms of the interval picture, from top to bottom, in pixels: probability curves, where the data lie, means, the bar of
// regions, its scale, and a patient's visits.
import type { Panel } from '../../../core/geometry/simplex_layout';
import type { Frame, Lens, Point } from '../frame';
import { boxOf } from '../frame';

export interface Room {
  top: number;
  height: number;
}

export interface IntervalSheet {
  width: number;
  height: number;
  left: number;
  right: number;
  curves: Room;
  data: Room;
  means: Room;
  bar: Room;
  visits: Room & { step: number };
  base: { unit: number; zero: number }; // pixel = zero + unit · x, before zooming
}

export interface IntervalContent {
  compact: boolean;
  data: boolean;
  handles: Point[]; // of the means; empty: no handles
  visits: number; // rows
}

const beyond = 0.3;

export function intervalSheet(panel: Panel, width: number, content: IntervalContent): IntervalSheet {
  const { compact } = content;
  const [left, right] = compact ? [16, width - 16] : [44, width - 30];
  let top = compact ? 6 : 36; // above: what the curves are, and the buttons
  const room = (height: number, gap: number): Room => {
    const made = { top, height };
    top += height ? height + gap : 0;
    return made;
  };
  const curves = room(compact ? 0 : Math.min(170, Math.max(110, width * 0.24)), 12);
  const data = room(content.data ? 46 : 0, 6);
  const means = room(content.handles.length ? 50 : 0, 0);
  const bar = room(compact ? 34 : 52, 0);
  top += compact ? 26 : 50;
  const step = Math.min(20, 420 / Math.max(1, content.visits));
  const visits = { ...room(content.visits ? content.visits * step + 8 : 0, 4), step };

  const box = boxOf(panel.outline);
  const reach = width >= 480 ? beyond * (box.right - box.left) : 0;
  const guests = content.handles.map((point) => point[0]);
  const from = Math.max(box.left - reach, Math.min(box.left, ...guests));
  const to = Math.min(box.right + reach, Math.max(box.right, ...guests));
  const unit = (right - left) / (to - from);
  return { width, height: top, left, right, curves, data, means, bar, visits, base: { unit, zero: left - unit * from } };
}

// As for triangles, with all beliefs at one height: `middle`.
export function intervalFrame(panel: Panel, sheet: IntervalSheet, lens: Lens, middle: number): Frame {
  const { unit, zero } = sheet.base;
  const centre = panel.corners[0][1];
  return {
    panel,
    room: [0, sheet.width],
    scale: unit,
    side: unit * (panel.corners[1][0] - panel.corners[0][0]),
    place: ([x]) => [zero + unit * x, middle],
    at: ([x]) => [(zero + unit * x) * lens.zoom + lens.x, middle],
    back: ([px]) => [((px - lens.x) / lens.zoom - zero) / unit, centre],
  };
}
