// The same picture with 256 colours at most: a quarter of the bytes, and no difference to see on a page of flat colours.
import { crc32, deflateSync } from 'node:zlib';
import { readPng } from './png_reader.ts';
import type { Pixels } from './png_reader.ts';

type Colour = [number, number, number];

export function smallPng(file: Buffer): Buffer {
  const pixels = readPng(file);
  const { palette, indexOf } = quantised(pixels);
  const rows = Buffer.alloc((pixels.width + 1) * pixels.height); // each begins with 0: written as it is
  for (let y = 0; y < pixels.height; ++y) {
    for (let x = 0; x < pixels.width; ++x) rows[y * (pixels.width + 1) + 1 + x] = indexOf(pixels.at(x, y));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels.width, 0);
  header.writeUInt32BE(pixels.height, 4);
  header.set([8, 3, 0, 0, 0], 8); // eight bits, palette
  return Buffer.concat([
    file.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

const keyOf = ([r, g, b]: Colour) => (r << 16) | (g << 8) | b;
const most = 256;

// Median cut: the box of colours that spreads widest, weighed by its pixels, is cut in two until there are enough.
function quantised(pixels: Pixels): { palette: Colour[]; indexOf: (colour: Colour) => number } {
  const counts = new Map<number, number>();
  for (let y = 0; y < pixels.height; ++y) {
    for (let x = 0; x < pixels.width; ++x) {
      const key = keyOf(pixels.at(x, y));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const colours = [...counts].map(([key, count]) => ({ colour: [key >> 16, (key >> 8) & 255, key & 255] as Colour, count }));
  const boxes = [boxOf(colours)];
  while (boxes.length < most) {
    const widest = boxes.reduce((best, box, i) => (box.weight > boxes[best].weight ? i : best), 0);
    if (boxes[widest].spread === 0) break;
    boxes.splice(widest, 1, ...halves(boxes[widest]));
  }
  const indices = new Map<number, number>();
  boxes.forEach((box, index) => box.colours.forEach(({ colour }) => indices.set(keyOf(colour), index)));
  return { palette: boxes.map(commonest), indexOf: (colour) => indices.get(keyOf(colour)) ?? 0 };
}

interface Counted {
  colour: Colour;
  count: number;
}
interface Box {
  colours: Counted[];
  channel: number; // in which it spreads widest
  spread: number;
  weight: number;
}

function boxOf(colours: Counted[]): Box {
  const spreads = [0, 1, 2].map((k) => {
    const values = colours.map(({ colour }) => colour[k]);
    return values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255);
  });
  const spread = Math.max(...spreads);
  const pixels = colours.reduce((sum, { count }) => sum + count, 0);
  return { colours, channel: spreads.indexOf(spread), spread, weight: spread ** 2 * Math.sqrt(pixels) };
}

function halves({ colours, channel }: Box): Box[] {
  const sorted = [...colours].sort((a, b) => a.colour[channel] - b.colour[channel]);
  const middle = (sorted[0].colour[channel] + sorted[sorted.length - 1].colour[channel]) / 2;
  const from = sorted.findIndex(({ colour }) => colour[channel] > middle);
  return [boxOf(sorted.slice(0, from)), boxOf(sorted.slice(from))];
}

// The commonest colour of a box: flat grounds keep theirs to the bit.
function commonest({ colours }: Box): Colour {
  return colours.reduce((best, one) => (one.count > best.count ? one : best)).colour;
}
