// Numbers of visits: those whose dots fall on one another share one ("2–4, 6"), and each stands where nothing else does.
import type { Point } from '../frame';
import { distanceTo, type LabelBox } from './label_place';

export interface PathLabel {
  at: Point; // middle of the text
  text: string;
  visits: number[];
}

const apart = 11; // pixels: closer dots share a label
const radius = 16; // of a label around its dot

export function pathLabels(
  points: Point[],
  avoid: Point[],
  taken: LabelBox[],
  visible: { width: number; height: number },
): PathLabel[] {
  const groups: { dot: Point; visits: number[] }[] = [];
  points.forEach((point, visit) => {
    const near = groups.find(({ dot }) => distance(dot, point) < apart);
    if (near) near.visits.push(visit);
    else groups.push({ dot: point, visits: [visit] });
  });
  const placed: Point[] = [];
  return groups.map(({ dot, visits }) => {
    const text = rangesOf(visits.map((visit) => visit + 1));
    const at = bestPlace(dot, text, points, [...avoid, ...placed], taken, visible);
    placed.push(at);
    return { at, text, visits };
  });
}

export function rangesOf(numbers: number[]): string {
  const parts: [number, number][] = [];
  for (const n of numbers) {
    const last = parts[parts.length - 1];
    if (last && last[1] === n - 1) last[1] = n;
    else parts.push([n, n]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`)).join(', ');
}

// Of eight places around the dot, the one with the most room; the first of several.
function bestPlace(
  dot: Point,
  text: string,
  points: Point[],
  avoid: Point[],
  taken: LabelBox[],
  visible: { width: number; height: number },
): Point {
  const wide = radius + 3 * (text.length - 1);
  const places = [-0.25, 0, 0.25, 0.5, -0.5, 0.75, -0.75, 1].map((turn): Point => {
    const angle = turn * Math.PI;
    return [dot[0] + wide * Math.cos(angle), dot[1] + radius * Math.sin(angle)];
  });
  const room = (place: Point) => {
    const half = 4 + 3.6 * text.length;
    const inside = Math.min(place[0] - half, visible.width - half - place[0], place[1] - 8, visible.height - 8 - place[1]);
    if (inside < 0) return inside;
    const lines = points.slice(1).map((to, i) => toSegment(place, points[i], to));
    const others = avoid.map((other) => distance(place, other) - 12);
    const names = taken.map((box) => distanceTo({ ...box, width: box.width + 6 * text.length }, place) - 4);
    return Math.min(14, ...lines, ...others, ...names);
  };
  return places.reduce((best, place) => (room(place) > room(best) + 0.5 ? place : best));
}

function toSegment(p: Point, from: Point, to: Point): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const t = length > 0 ? Math.min(1, Math.max(0, ((p[0] - from[0]) * dx + (p[1] - from[1]) * dy) / length)) : 0;
  return distance(p, [from[0] + t * dx, from[1] + t * dy]);
}

function distance(p: Point, q: Point): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1]);
}
