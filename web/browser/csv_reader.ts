// RFC 4180, read strictly: what breaks a rule throws. Returns rows of cells.
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, next] = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    row.push(cell);
    at = next;
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at) || at === text.length) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`row ${rows.length + 1}: neither comma nor line end at ${JSON.stringify(text.slice(at, at + 20))}`);
  }
  if (row.length > 0) rows.push(row);
  const width = rows[0]?.length ?? 0;
  const odd = rows.findIndex((one) => one.length !== width);
  if (odd >= 0) throw new Error(`row ${odd + 1} has ${rows[odd].length} cells, the first ${width}`);
  return rows;
}

function plainCell(text: string, from: number): [string, number] {
  const cell = /[^",\r\n]*/y;
  cell.lastIndex = from;
  const found = cell.exec(text)?.[0] ?? '';
  return [found, from + found.length];
}

function quotedCell(text: string, from: number): [string, number] {
  const cell = /"((?:[^"]|"")*)"/y;
  cell.lastIndex = from;
  const found = cell.exec(text);
  if (!found) throw new Error(`a quoted cell does not end: ${text.slice(from, from + 40)}`);
  return [found[1].replaceAll('""', '"'), from + found[0].length];
}

// A spreadsheet would compute such a cell. A number is a number.
export const isFormula = (cell: string): boolean => /^[=+\-@\t\r]/.test(cell) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell);
