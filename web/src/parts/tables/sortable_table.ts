// Columns of a sortable table.

export interface SortableColumn<Row> {
  label: string;
  value: (row: Row) => string | number | null; // to sort by, and in the CSV file where there is no text
  text?: (row: Row) => string;
  figure?: boolean; // set to the right
  head?: boolean; // names the row
  rich?: boolean; // drawn by the table's user
  fixed?: boolean; // not sortable
}

const words = new Intl.Collator('en', { numeric: true });

// A sorted copy; what is missing (null, NaN) comes last either way, equals keep their order.
export function ordered<Row>(rows: Row[], value: (row: Row) => string | number | null, down: boolean): Row[] {
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  const missing = (key: string | number | null) => key === null || (typeof key === 'number' && Number.isNaN(key));
  keyed.sort((a, b) => {
    if (missing(a.key) || missing(b.key)) return Number(missing(a.key)) - Number(missing(b.key));
    const order =
      typeof a.key === 'number' && typeof b.key === 'number'
        ? a.key - b.key
        : words.compare(String(a.key), String(b.key));
    return down ? -order : order;
  });
  return keyed.map(({ row }) => row);
}

// How a table is sorted and which page of it is shown, as the address has it: "2d3" is column 2, downwards, page 3.
export interface SortedPlace {
  by: number | null;
  down: boolean;
  page: number;
}

export function sortedPlace(text: string | null, columns: number): SortedPlace {
  const [, by = '', way = '', page = '0'] = /^(\d*)([ud]?)(\d{1,6})$/.exec(text ?? '') ?? [];
  const column = by === '' ? null : Number(by);
  return { by: column !== null && column < columns ? column : null, down: way === 'd', page: Number(page) };
}

// Null: as it comes.
export function sortText({ by, down, page }: SortedPlace): string | null {
  if (by === null) return page > 0 ? `u${page}` : null;
  return `${by}${down ? 'd' : 'u'}${page}`;
}
