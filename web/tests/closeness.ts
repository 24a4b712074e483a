// Numbers of the page beside those of the program. Remembers the widest gap seen, so that a run can tell how close it was.
import { expect } from 'vitest';

const TOLERANCE = 1e-12; // in units of the number, or of 1 for smaller ones

export class Closeness {
  widest = 0;
  compared = 0;

  // null stands for "there is no such number": not finite here.
  number(here: number, there: number | null, where: string): void {
    ++this.compared;
    if (there === null) {
      expect(Number.isFinite(here), `${where}: ${here} where the program has none`).toBe(false);
      return;
    }
    const gap = Math.abs(here - there) / Math.max(1, Math.abs(there));
    expect(gap <= TOLERANCE, `${where}: ${here} where the program has ${there}`).toBe(true);
    this.widest = Math.max(this.widest, gap);
  }

  // By name, as in the program's JSON.
  named(here: ArrayLike<number>, there: Record<string, number | null>, names: string[], where: string): void {
    expect(Object.keys(there), where).toEqual(names);
    names.forEach((name, i) => this.number(here[i], there[name], `${where}.${name}`));
  }
}
