// Where the lines of an interval chart go: words beside the axis where there is room, above it where there is not.
import type { Estimate } from '../../core/payload';
import { textLines, textWidth } from './text_lines';

export type MarkShape = 'circle' | 'diamond' | 'square' | 'triangle';

export interface IntervalSeries {
  name: string;
  shape: MarkShape;
  colour: string;
}

export interface IntervalRow {
  label: string;
  note?: string; // a sentence under the label
  aside?: string[]; // figures at the end of the line
  marks: (Estimate | null)[]; // one for each series; null: nothing to draw
  missing?: string; // said in place of marks, as "withheld"
  flagged?: string; // a few words that mark the line
}

export interface PlacedRow {
  row: IntervalRow;
  top: number;
  height: number;
  label: string[];
  note: string[];
  textTop: number; // baseline of the first line of words
  markTop: number; // the middle of the first mark
  asideTop: number;
}

export interface PlacedSeries extends IntervalSeries {
  x: number;
  y: number;
}

export interface IntervalLayout {
  legend: PlacedSeries[];
  rows: PlacedRow[];
  height: number;
  plot: [number, number]; // from where to where the axis runs
  axisTop: number;
  labelX: number;
  asideX: number;
  stacked: boolean; // words above the axis
}

const line = 17;
const gap = 15; // between two marks of one line
const padding = 9;
const axisHeight = 24;
export const manyRows = 8;

function place(row: IntervalRow, top: number, width: number, stacked: boolean): PlacedRow {
  const label = textLines(row.label, width, 13, 4, 600);
  const note = row.note ? textLines(row.note, width, 12, 6) : [];
  const words = (row.flagged ? 1 : 0) + label.length + note.length;
  const marks = Math.max(1, row.marks.length) * gap;
  const aside = (row.aside?.length ?? 0) * line;
  const wordsHeight = words * line;
  if (stacked) {
    const markTop = top + padding + wordsHeight + gap / 2 + 2;
    return {
      row, top, label, note,
      textTop: top + padding + 12,
      markTop,
      asideTop: markTop + marks - gap / 2 + 14,
      height: padding * 2 + wordsHeight + marks + 2 + aside,
    };
  }
  const height = padding * 2 + Math.max(wordsHeight, marks, aside);
  const middle = top + height / 2;
  return {
    row, top, label, note, height,
    textTop: middle - wordsHeight / 2 + 12.5,
    markTop: middle - marks / 2 + gap / 2,
    asideTop: middle - aside / 2 + 12.5,
  };
}

// Names of the series in lines at the top; none where there is nothing to tell apart.
function placeLegend(series: IntervalSeries[], width: number): { legend: PlacedSeries[]; height: number } {
  if (series.length < 2) return { legend: [], height: 0 };
  let x = 4;
  let y = 12;
  const legend = series.map((one) => {
    const wide = 42 + textWidth(one.name, 12) + 18;
    if (x > 4 && x + wide > width) {
      x = 4;
      y += 20;
    }
    const placed = { ...one, x, y };
    x += wide;
    return placed;
  });
  return { legend, height: y + 12 };
}

const widest = (texts: string[], size: number, weight: number) =>
  Math.ceil(Math.max(0, ...texts.map((text) => textWidth(text, size, weight))) + 2);

export function layOut(rows: IntervalRow[], series: IntervalSeries[], width: number): IntervalLayout {
  const hasWords = rows.some((row) => row.note);
  const stacked = width < (hasWords ? 620 : 440);
  const labelWidth = stacked ? width - 20 : Math.min(hasWords ? 460 : widest(rows.map((row) => row.label), 13, 600), width * (hasWords ? 0.42 : 0.33));
  const aside = widest(rows.flatMap((row) => row.aside ?? []), 12, 400);
  const asideWidth = aside > 0 && !stacked ? aside + 12 : 0;
  const plot: [number, number] = stacked ? [18, width - 18] : [labelWidth + 28, width - asideWidth - 20];
  const { legend, height: legendHeight } = placeLegend(series, width);
  // A long list has its scale at the top too.
  const axisTop = legendHeight + (rows.length > manyRows ? axisHeight : 4);
  let top = axisTop;
  const placed = rows.map((row) => {
    const one = place(row, top, labelWidth, stacked);
    top += one.height;
    return one;
  });
  return {
    legend, rows: placed, plot, stacked, axisTop,
    height: top + axisHeight,
    labelX: stacked ? 4 : 0,
    asideX: stacked ? 4 : width - aside,
  };
}

// Lines in portions no higher than a page; none if all fit on one.
export function inPages(rows: IntervalRow[], series: IntervalSeries[], width: number, height: number): IntervalRow[][] {
  const all = layOut(rows, series, width);
  if (all.height <= height) return [];
  const room = height - all.axisTop - axisHeight;
  const pages: IntervalRow[][] = [];
  let used = Infinity;
  for (const placed of all.rows) {
    if (used + placed.height > room) {
      pages.push([]);
      used = 0;
    }
    pages[pages.length - 1].push(placed.row);
    used += placed.height;
  }
  return pages;
}

export const rowGap = gap;
export const rowLine = line;
