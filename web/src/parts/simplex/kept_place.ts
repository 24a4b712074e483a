// Where a picture's cross-hair and zoom stand, as the address has them. What does not fit is none at all: an address may come
// from anywhere.
import type { Lens } from './frame';

export const wholePicture: Lens = { zoom: 1, x: 0, y: 0 };
export const mostZoom = 40;

interface Size {
  width: number;
  height: number;
}

export interface KeptCross {
  panel: number;
  belief: Float64Array;
}

// "0:0.2,0.3,0.5": panel and belief.
export function crossText({ panel, belief }: KeptCross): string {
  return `${panel}:${Array.from(belief, (share) => Number(share.toFixed(5))).join(',')}`;
}

export function asCross(text: string | null, panels: number, S: number): KeptCross | null {
  const [, place = '', list = ''] = /^(\d{1,3}):([\d.,e-]+)$/.exec(text ?? '') ?? [];
  const shares = list.split(',').map((word) => (word === '' ? NaN : Number(word)));
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (place === '' || Number(place) >= panels || shares.length !== S) return null;
  if (!shares.every((share) => share >= 0 && share <= 1) || Math.abs(total - 1) > 0.001) return null;
  return { panel: Number(place), belief: Float64Array.from(shares, (share) => share / total) };
}

// "2.25,-0.4,-0.1": how far, and what of width and height lies left of and above the frame. Null: all of the picture.
export function lensText({ zoom, x, y }: Lens, { width, height }: Size): string | null {
  if (zoom <= 1.001) return null;
  return [zoom, x / width, y / height].map((value) => Number(value.toFixed(5))).join(',');
}

export function asLens(text: string | null, { width, height }: Size): Lens {
  const parts = (text ?? '').split(',').map((word) => (word === '' ? NaN : Number(word)));
  const [zoom, left, up] = parts;
  if (parts.length !== 3 || !parts.every(Number.isFinite) || zoom <= 1 || zoom > mostZoom) return wholePicture;
  const within = (share: number) => Math.min(0, Math.max(1 - zoom, share));
  return { zoom, x: within(left) * width, y: within(up) * height };
}
