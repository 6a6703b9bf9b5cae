export type Alignment = 'left' | 'right';

/** Rows as lines of equal columns, two spaces apart. By default only the first column is aligned left. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[] = ['left'],
): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return alignments[column] === 'left' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
