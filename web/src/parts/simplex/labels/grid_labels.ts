// Where the words and figures around a panel stand: of its scales, its sides and its corners.
import { percent } from '../../../core/format';
import type { Frame, Point } from '../frame';
import { shortened, textWidth, type LabelBox } from './label_place';
import { marksOf, scalesOf, type Mark } from '../scales';

export type Anchor = 'start' | 'middle' | 'end';

export interface GridText {
  x: number;
  y: number;
  text: string;
  anchor: Anchor;
}

export interface SideText extends GridText {
  angle: number; // degrees
}

export const tickLength = 6;
const letter = 8.8; // of a corner's name, on average
const small = (frame: Frame) => frame.side < 300;

export const marksAround = (frame: Frame, zoom: number): Mark[] =>
  scalesOf(frame.panel).flatMap((scale) => marksOf(scale, frame.side * zoom));

export function figureAt(frame: Frame, mark: Mark): GridText {
  const [x, y] = frame.at(mark.at);
  const [dx, dy] = mark.direction;
  return {
    x: x + (tickLength + 4) * dx,
    y: y + (tickLength + 4) * dy + (dy > 0.5 ? 3 : dy < -0.5 ? -2 : 0),
    text: percent(mark.share),
    anchor: Math.abs(dx) < 0.3 ? 'middle' : dx > 0 ? 'start' : 'end',
  };
}

// Each side once: with a right angle the long side has no scale of its own. Names too long for their side are left out.
export function sideTexts(frame: Frame): SideText[] {
  return [[0, 1], [1, 2], [2, 0]].flatMap(([from, to]) => sideText(frame, from, to));
}

function sideText(frame: Frame, from: number, to: number): SideText[] {
  const { panel } = frame;
  const [p, q] = [frame.at(panel.corners[from]), frame.at(panel.corners[to])];
  const middle: Point = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  const third = frame.at(panel.corners[3 - from - to]);
  const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
  let normal: Point = [-(q[1] - p[1]) / length, (q[0] - p[0]) / length];
  if (normal[0] * (middle[0] - third[0]) + normal[1] * (middle[1] - third[1]) < 0) normal = [-normal[0], -normal[1]];
  // Level ticks reach farther out; below, long names of corners come first.
  const below = normal[1] > 0.95 && [from, to].some((corner) => textWidth(panel.labels[corner], letter) > length / 3);
  const away = below ? 50 : small(frame) ? 41 : Math.abs(normal[0]) > 0.95 ? 52 : 46;
  const [x, y] = [middle[0] + away * normal[0], middle[1] + away * normal[1]];
  let angle = (Math.atan2(q[1] - p[1], q[0] - p[0]) * 180) / Math.PI;
  if (angle >= 90 || angle < -90) angle += angle > 0 ? -180 : 180; // never upside down
  const names = [panel.labels[Math.min(from, to)], panel.labels[Math.max(from, to)]];
  const told = scalesOf(panel).find((scale) => scale.side.includes(from) && scale.side.includes(to));
  const plain = `${names[0]}–${names[1]} mixtures`;
  const full = told && !small(frame) ? `${plain} (% ${panel.labels[told.corner]})` : plain;
  const text = [full, plain].find((words) => textWidth(words, 6.2) < 0.85 * length);
  return text === undefined ? [] : [{ x, y, angle, text, anchor: 'middle' }];
}

// Names keep within the picture: beside each other below it, and short of its edges.
export function cornerTexts(frame: Frame, bare: boolean): GridText[] {
  const { panel } = frame;
  const [from, to] = frame.room;
  const width = to - from;
  const places = panel.corners.map((corner) => frame.at(corner));
  const lowest = Math.max(...places.map((place) => place[1]));
  const leftmost = Math.min(...places.map((place) => place[0]));
  // Zoomed in, a corner out of sight takes its name along.
  const held = (x: number, text: string, room: number) => {
    const half = textWidth(text, letter) / 2 + 2;
    return x < from || x > to || room < 2 * half ? x : Math.min(to - half, Math.max(from + half, x));
  };
  return panel.labels.map((name, corner) => {
    const [x, y] = places[corner];
    const upper = y < lowest - 1;
    const text = shortened(name, Math.floor((upper ? width - 90 : width / 2 - 18) / letter));
    if (upper) return { x: held(x, text, width), y: y - (bare ? 14 : 20), text, anchor: 'middle' }; // a mean may stand on the corner
    if (!bare) return { x: held(x, text, width), y: y + 32, text, anchor: 'middle' };
    // In a small picture there is no room beside the corners.
    const first = x <= leftmost + 1;
    return { x: first ? x - 20 : x + 20, y: y + 18, text, anchor: first ? 'start' : 'end' };
  });
}

// The room all of these take, for labels that must not cover them.
export function gridBoxes(frame: Frame, zoom: number): LabelBox[] {
  const figures = marksAround(frame, zoom).filter((mark) => mark.labelled).map((mark) => boxOf(figureAt(frame, mark), 6.4, 13));
  const corners = cornerTexts(frame, false).map((text) => boxOf(text, letter, 18));
  return [...figures, ...corners, ...sideTexts(frame).flatMap(boxesAlong)];
}

function boxOf({ x, y, text, anchor }: GridText, perLetter: number, height: number): LabelBox {
  const width = textWidth(text, perLetter);
  return { x: anchor === 'middle' ? x : anchor === 'start' ? x + width / 2 : x - width / 2, y, width, height };
}

// A slanting line of text as a chain of squares.
function boxesAlong({ x, y, text, angle }: SideText): LabelBox[] {
  const [width, turn] = [textWidth(text, 6.4), (angle * Math.PI) / 180];
  const count = Math.max(1, Math.ceil(width / 12));
  return Array.from({ length: count }, (_, i) => {
    const along = width * ((i + 0.5) / count - 0.5);
    return { x: x + along * Math.cos(turn), y: y + along * Math.sin(turn), width: 14, height: 14 };
  });
}
