// What makes decisions foreseeable, as bars one after the other: each begins where the one before it ended, so that what
// takes away leads back and the last ends at all that is foreseen.
import type { SharesJson } from '../../core/payload';

export interface SharesBar {
  words: string;
  from: number; // shares of what is foreseen
  to: number;
  nats: number;
}

export interface SharesBars {
  bars: SharesBar[];
  domain: [number, number]; // holds 0 and 1
}

export function sharesBars({ parts }: SharesJson): SharesBars {
  let end = 0;
  const bars = parts.map(({ words, share, nats }) => {
    const from = end;
    end += share;
    return { words, from, to: end, nats };
  });
  const ends = bars.map(({ to }) => to);
  return { bars, domain: [Math.min(0, ...ends), Math.max(1, ...ends)] };
}

// "61%", "−1%": whole per cent, as in the program's sentences.
export function shareText(share: number): string {
  const whole = Math.round(100 * Math.abs(share));
  return share < 0 && whole > 0 ? `−${whole}%` : `${whole}%`;
}

// Of all uncertainty about a decision: what is foreseen and what is not, in whole per cent that sum to 100.
export function foreseenText(shares: SharesJson): [string, string] {
  const foreseen = Math.round(100 * shares.foreseen);
  return [`${foreseen}%`, `${100 - foreseen}%`];
}
