/** A part of a bar. */
export interface BarPart {
  readonly label: string;
  readonly value: number;
  /** What the part is drawn with: one character, so that the bar can be read without colours. */
  readonly character: string;
  /** Colours a text that is written to a terminal. */
  readonly paint: (text: string) => string;
}

/**
 * A stacked bar of characters: `[####==]`.
 *
 * @param width of the bar between its brackets, in characters
 * @param whole the value of a full bar
 */
export function unitBar(parts: readonly BarPart[], width: number, whole: number): string {
  const lengths = partLengths(
    parts.map(({ value }) => value),
    width,
    whole,
  );
  const drawn = parts.map(({ character, paint }, index) => {
    const length = lengths[index] ?? 0;
    return length === 0 ? '' : paint(character.repeat(length));
  });
  const filled = lengths.reduce((total, length) => total + length, 0);
  return `[${drawn.join('')}${' '.repeat(Math.max(0, width - filled))}]`;
}

/**
 * Whole characters that add up to the length of all parts together, at least one for each part that is there,
 * while there is room.
 */
export function partLengths(values: readonly number[], width: number, whole: number): number[] {
  if (!(whole > 0)) return values.map(() => 0);
  const exact = values.map((value) => (value / whole) * width);
  const lengths = exact.map((length) => (length > 0 ? Math.max(1, Math.round(length)) : 0));
  const room = Math.min(
    width,
    Math.max(lengths.filter((length) => length > 0).length, Math.round(sum(exact))),
  );
  // Rounding leaves some over, or too few: the part that is furthest off gives or takes one.
  while (sum(lengths) !== room) {
    const step = Math.sign(room - sum(lengths));
    const errors = lengths.map((length, index) =>
      length > 0 && length + step > 0 ? step * ((exact[index] ?? 0) - length) : Number.NEGATIVE_INFINITY,
    );
    const furthest = errors.indexOf(Math.max(...errors));
    if (errors[furthest] === Number.NEGATIVE_INFINITY) break;
    lengths[furthest] = (lengths[furthest] ?? 0) + step;
  }
  return lengths;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
