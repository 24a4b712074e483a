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
