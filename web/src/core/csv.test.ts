import { describe, expect, it } from 'vitest';
import { toCsv } from './csv';

describe('CSV', () => {
  it('quotes what needs it, and doubles quotes', () => {
    expect(toCsv(['a', 'b, c'], [['x "y"', 'two\nlines']])).toBe('a,"b, c"\r\n"x ""y""","two\nlines"\r\n');
  });

  it('leaves numbers alone, and has nothing for what is none', () => {
    expect(toCsv(['n'], [[-1.5], [1e-7], [NaN], [Infinity], [null]])).toBe('n\r\n-1.5\r\n1e-7\r\n\r\n\r\n\r\n');
    expect(toCsv(['n'], [['-1.5'], ['+2e3']])).toBe('n\r\n-1.5\r\n+2e3\r\n');
  });

  it('defuses formulas wherever text comes from', () => {
    const hostile = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', "=HYPERLINK(\"x\")", '-', '+1+1'];
    for (const text of hostile) {
      const written = toCsv(['h'], [[text]]).split('\r\n').slice(1).join('\r\n');
      expect(written.startsWith("'") || written.startsWith('"\'')).toBe(true);
      expect(toCsv([text], []).replace(/^"/, '').startsWith("'")).toBe(true);
    }
  });
});
