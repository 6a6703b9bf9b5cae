/** The first of some strings, and how many more there are. */
export function firstOf(all: readonly string[], atMost: number, separator: ', ' | '; '): string {
  const more = all.length > atMost ? [`and ${all.length - atMost} more`] : [];
  return [...all.slice(0, atMost), ...more].join(separator);
}

/**
 * Lines of a name and a value each, the values below each other. @param valueWidth they are aligned right in
 * it
 */
export function alignedRows(rows: readonly (readonly [string, string | number])[], valueWidth = 0): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows
    .map(([name, value]) => `${name.padEnd(width)}  ${String(value).padStart(valueWidth)}`)
    .join('\n');
}
