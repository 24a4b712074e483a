// Pixels of a screenshot: PNG with eight bits a channel, as Chromium writes it.
import { inflateSync } from 'node:zlib';

export interface Pixels {
  width: number;
  height: number;
  at(x: number, y: number): [number, number, number];
}

export function readPng(file: Buffer): Pixels {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const channels = { 2: 3, 6: 4 }[file[25]];
  if (file[24] !== 8 || !channels || file[28] !== 0) throw new Error('only plain PNGs of eight bits a channel are read');
  const packed: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const data = unfiltered(inflateSync(Buffer.concat(packed)), width * channels, height, channels);
  return {
    width,
    height,
    at(x, y) {
      const from = (y * width + x) * channels;
      return [data[from], data[from + 1], data[from + 2]];
    },
  };
}

// Each row was written as differences to its neighbours, in one of five ways.
function unfiltered(raw: Buffer, rowBytes: number, height: number, channels: number): Uint8Array {
  const data = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; ++y) {
    const way = raw[y * (rowBytes + 1)];
    for (let i = 0; i < rowBytes; ++i) {
      const here = y * rowBytes + i;
      const left = i >= channels ? data[here - channels] : 0;
      const above = y > 0 ? data[here - rowBytes] : 0;
      const corner = i >= channels && y > 0 ? data[here - rowBytes - channels] : 0;
      const guess = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][way];
      data[here] = raw[y * (rowBytes + 1) + 1 + i] + guess;
    }
  }
  return data;
}

function nearest(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
