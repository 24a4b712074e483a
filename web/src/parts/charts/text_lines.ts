// Lines of text for SVG, which does not wrap by itself.

let context: CanvasRenderingContext2D | null | undefined;

// Width in pixels. Where there is no canvas, half an em for each character, which is wide enough for prose.
export function textWidth(text: string, size: number, weight = 400): number {
  if (context === undefined) {
    context = typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
  }
  if (!context) return text.length * size * 0.52;
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  return context.measureText(text).width;
}

// Breaks at spaces; a word that is longer than a line is broken where it must be. What does not fit ends in "…".
export function textLines(text: string, width: number, size: number, most = 6, weight = 400): string[] {
  const fits = (line: string) => textWidth(line, size, weight) <= width;
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(/\s+/).filter(Boolean)) {
    if (line && fits(`${line} ${word}`)) {
      line = `${line} ${word}`;
      continue;
    }
    if (line) lines.push(line);
    while (!fits(word) && word.length > 1) {
      let end = word.length - 1;
      while (end > 1 && !fits(word.slice(0, end))) --end;
      lines.push(word.slice(0, end));
      word = word.slice(end);
    }
    line = word;
  }
  if (line) lines.push(line);
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, most);
  let last = kept[most - 1];
  while (last && !fits(`${last}…`)) last = last.slice(0, -1);
  kept[most - 1] = `${last}…`;
  return kept;
}
