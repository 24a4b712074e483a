// Where beliefs are drawn. Two states: a bar. Three: a triangle, or a right-angled one whose legs are plain axes. Four: the four
// faces of the tetrahedron. More: faces of chosen states, or two states of interest and all others.
import type { Problem } from '../model';
import { makePanel, REST, type Panel, type PanelPlace } from './panel';
import type { Point } from './polygon';

export type { Panel } from './panel';
export { REST } from './panel';

export type LayoutKind = 'interval' | 'triangle' | 'right' | 'faces' | 'two-plus-rest';

export interface Layout {
  kind: LayoutKind;
  panels: Panel[];
  width: number; // with room for ticks and names around the panels
  height: number;
}

const MARGIN = { left: 72, right: 72, top: 48, bottom: 60 };
const SIDE = 480;
const LEG = 430;
const FACE = 250;
const BAR = { length: 560, height: 96 };

// `kind` is a wish: what cannot be drawn with this many states becomes what can. `focus`: states of interest (two for "two plus
// rest" and the interval; three or more for faces). `rest`: how all other states share what is theirs, [s]; default: evenly.
export function layoutFor(
  problem: Pick<Problem, 'states' | 'S'>,
  kind: LayoutKind,
  focus: readonly number[] = [],
  rest: ArrayLike<number> | null = null,
): Layout {
  const { states: names, S } = problem;
  const chosen = [...new Set(focus)].filter((s) => Number.isInteger(s) && s >= 0 && s < S);
  const possible = possibleKind(kind, S);
  if (possible === 'interval') {
    const pair = S === 1 ? [0, 0] : filled(chosen, S, 2);
    return single(possible, names, pair, bar(), `${names[pair[0]]} to ${names[pair[1]]}`);
  }
  if (possible === 'triangle') return single(possible, names, [0, 1, 2], triangle(0, 0, SIDE), sides(names, [0, 1, 2]));
  if (possible === 'right') return single(possible, names, [0, 1, 2], rightAngled(), sides(names, [0, 1, 2]));
  if (possible === 'two-plus-rest') {
    const pair = filled(chosen, S, 2);
    const title = `${names[pair[0]]}, ${names[pair[1]]} and all others`;
    return single(possible, names, [...pair, REST], triangle(0, 0, SIDE), title, spreadOf(S, pair, rest));
  }
  return faces(names, triples(chosen, S));
}

// The kinds that can be drawn, the usual one first.
export function kindsFor(S: number): LayoutKind[] {
  if (S <= 2) return ['interval'];
  if (S === 3) return ['triangle', 'right', 'interval'];
  return ['faces', 'two-plus-rest', 'interval'];
}

function possibleKind(kind: LayoutKind, S: number): LayoutKind {
  if (S === 3 && kind === 'two-plus-rest') return kind; // the rest is one state: drawn all the same
  const kinds = kindsFor(S);
  return kinds.includes(kind) ? kind : kinds[0];
}

function filled(chosen: number[], S: number, count: number): number[] {
  const others = Array.from({ length: S }, (_, s) => s).filter((s) => !chosen.includes(s));
  return [...chosen, ...others].slice(0, count);
}

// All triples of the chosen states. Two: each with every third. None: of the first four.
function triples(chosen: number[], S: number): number[][] {
  if (S > 4 && chosen.length === 2) return filled(chosen, S, S).slice(2).map((third) => [...chosen, third]);
  const among = S > 4 && chosen.length > 2 ? chosen : filled([], S, Math.min(S, 4));
  const result: number[][] = [];
  for (let i = 0; i < among.length; ++i) {
    for (let j = i + 1; j < among.length; ++j) {
      for (let k = j + 1; k < among.length; ++k) result.push([among[i], among[j], among[k]]);
    }
  }
  return result;
}

function spreadOf(S: number, pair: number[], rest: ArrayLike<number> | null): number[] {
  const own = Array.from({ length: S }, (_, s) => (pair.includes(s) ? 0 : rest ? Math.max(0, rest[s]) : 1));
  const total = own.reduce((sum, x) => sum + x, 0);
  if (!(total > 0)) return spreadOf(S, pair, null);
  return own.map((x) => x / total);
}

function sides(names: string[], states: number[]): string {
  return `${names[states[0]]}, ${names[states[1]]} and ${names[states[2]]}`;
}

function single(
  kind: LayoutKind,
  names: string[],
  states: number[],
  place: PanelPlace,
  title: string,
  spread: number[] = [],
): Layout {
  const xs = place.outline.map((p) => p[0]);
  const ys = place.outline.map((p) => p[1]);
  return {
    kind,
    panels: [makePanel(names, states, place, title, spread)],
    width: Math.max(...xs) + MARGIN.right,
    height: Math.max(...ys) + MARGIN.bottom,
  };
}

function faces(names: string[], chosen: number[][]): Layout {
  const columns = chosen.length < 2 ? 1 : chosen.length <= 4 ? 2 : 3;
  const width = FACE + MARGIN.left + MARGIN.right;
  const height = tall(FACE) + MARGIN.top + MARGIN.bottom;
  const panels = chosen.map((states, i) => {
    const place = triangle((i % columns) * width, Math.floor(i / columns) * height, FACE);
    return makePanel(names, states, place, sides(names, states));
  });
  return { kind: 'faces', panels, width: columns * width, height: Math.ceil(chosen.length / columns) * height };
}

function tall(side: number): number {
  return (side * Math.sqrt(3)) / 2;
}

// First corner bottom left, second on top, third bottom right: an ordered set of states reads from left to right.
function triangle(x: number, y: number, side: number): PanelPlace {
  const [left, top] = [x + MARGIN.left, y + MARGIN.top];
  const corners: Point[] = [
    [left, top + tall(side)],
    [left + side / 2, top],
    [left + side, top + tall(side)],
  ];
  return { shape: 'triangle', corners, outline: corners };
}

function rightAngled(): PanelPlace {
  const { left, top } = MARGIN;
  const corners: Point[] = [
    [left, top + LEG],
    [left + LEG, top + LEG],
    [left, top],
  ];
  return { shape: 'right', corners, outline: corners };
}

function bar(): PanelPlace {
  const [left, right] = [MARGIN.left, MARGIN.left + BAR.length];
  const [top, bottom] = [MARGIN.top, MARGIN.top + BAR.height];
  const centre = (top + bottom) / 2;
  const outline: Point[] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  return { shape: 'bar', corners: [[left, centre], [right, centre]], outline };
}
