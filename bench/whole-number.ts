/** The smallest and the largest one that an option takes. */
type WholeNumbers = readonly [minimum: number, maximum: number];

/**
 * The value of the option `--name`.
 *
 * @throws Error, with the range, for anything else than a whole number in it
 */
export function wholeNumber(name: string, text: string, [minimum, maximum]: WholeNumbers): number {
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new Error(`--${name} takes a whole number from ${minimum} to ${maximum}, not '${text}'`);
}
