/**
 * No other text has a number that a JavaScript number does not hold as it is written. A number begins the text, or
 * stands behind one of these: the digits of strings, such as those of a UUID, mostly do not.
 */
const mayHoldOthers = /(?<![^\s:[,])-?(?:[\d.]{16}|\d[\d.]*[eE])|(?<![^\s:[,])-0(?!\d)/;

/** Digits that a JavaScript number keeps, whichever they are. */
const SAFE_DIGITS = 15;

/** By the object or array that a number is in, and its name there: nobody outside can write what is noted here. */
const written = new WeakMap<object, Map<string, string>>();

/**
 * The value of a JSON text, in which {@link writtenNumber} knows what JavaScript has rounded: `9007199254740993`
 * becomes `9007199254740992`. A byte order mark before it is ignored. Source: RFC 8259, section 8.1.
 *
 * @throws SyntaxError as JSON.parse
 */
export function parseExactly(json: string): unknown {
  const text = json.startsWith('\uFEFF') ? json.slice(1) : json;
  if (!mayHoldOthers.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, note as (name: string, value: unknown) => unknown);
  } catch (error) {
    // What is nested too deep for a reviver has a value all the same.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** How a number was written that JavaScript does not hold so; undefined for any other value. */
export function writtenNumber(holder: object, name: string | number, value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  const source = written.get(holder)?.get(String(name));
  // Users' code may have changed it since.
  return source !== undefined && Object.is(Number(source), value) ? source : undefined;
}

/** Notes how the number is written that an object has under a name. */
export function noteNumber(holder: object, name: string, value: unknown, source: string | undefined): void {
  if (typeof value !== 'number' || source === undefined || isExact(value, source)) return;
  const numbers = written.get(holder) ?? new Map<string, string>();
  written.set(holder, numbers.set(name, source));
}

/** For an object with the numbers of another one, under their names. */
export function keepNumbers(from: object, to: object): void {
  const numbers = written.get(from);
  if (numbers) written.set(to, numbers);
}

/** @param context with the text of the value, which Node 22 gives and the types do not know */
function note(this: object, name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  noteNumber(this, name, value, source);
  return value;
}

function isExact(value: number, source: string): boolean {
  if (String(value) === source) return true;
  const [mantissa = ''] = source.split(/e/i, 1);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  if (digits === '') return !Object.is(value, -0);
  return Number.isFinite(value) && value !== 0 && /^0*$/.test(digits.slice(SAFE_DIGITS));
}
