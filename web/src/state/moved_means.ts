// Means moved by hand, as the address has them: "1:0.2,0.8_0:0.9,0.1", and the line between two of them moved.

export type MovedMeans = Record<number, number[]>;

const digits = (x: number) => String(Number(x.toPrecision(8)));

// In the order of actions; null: none was moved.
export function meansText(moved: MovedMeans): string | null {
  const parts = Object.entries(moved).map(([action, mean]) => `${action}:${mean.map(digits).join(',')}`);
  return parts.length > 0 ? parts.join('_') : null;
}

// What does not fit the model is left out: an address may come from anywhere.
export function parseMeans(text: string | null, A: number, S: number): MovedMeans {
  const moved: MovedMeans = {};
  for (const part of (text ?? '').split('_')) {
    const [name, list = ''] = part.split(':');
    const action = Number(name);
    const mean = list.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
    const fits = name !== '' && Number.isInteger(action) && action >= 0 && action < A && mean.length === S;
    if (fits && mean.every((x) => Number.isFinite(x) && Math.abs(x) < 100)) moved[action] = mean;
  }
  return moved;
}

// The line half-way between two means, moved in parallel: both go along by what of the step lies across the line, so that
// how sharply decisions change there stays the same.
export function lineMoved(first: ArrayLike<number>, second: ArrayLike<number>, step: ArrayLike<number>): [number[], number[]] {
  const across = Array.from(first, (x, s) => second[s] - x);
  const length = across.reduce((sum, x) => sum + x * x, 0);
  const far = length > 0 ? across.reduce((sum, x, s) => sum + x * step[s], 0) / length : 0;
  const moved = (mean: ArrayLike<number>) => Array.from(mean, (x, s) => x + far * across[s]);
  return [moved(first), moved(second)];
}
