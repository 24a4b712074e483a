// A table as a CSV file. The last column says where its figures came from, so that no row can lose it.
import { toCsv } from '../core/csv';
import { app } from '../state/app.svelte';
import { download } from './download';
import { sourceLine } from './source';

export function saveTable(name: string, header: string[], rows: (string | number | null)[][]): void {
  const source = sourceLine(app.payload, app.hypothetical);
  download(`${name}.csv`, 'text/csv', toCsv([...header, 'Source'], rows.map((row) => [...row, source])));
}
