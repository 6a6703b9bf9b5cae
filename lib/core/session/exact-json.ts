import { parsedJson } from '../parsed-json.ts';

/** Anything else holds no number that a JavaScript number could change. */
const mayHoldOthers = /[\d.]{16}|\d[eE]/;

/** Digits that a JavaScript number keeps, whichever they are. */
const SAFE_DIGITS = 15;

/**
 * What comes from outside as JSON, for comparisons: a number that a JavaScript number does not hold is kept as it
 * is written, as `9007199254740993` becomes `9007199254740992` otherwise. `undefined` for what is no JSON.
 */
export function exactJson(text: string): unknown {
  if (!mayHoldOthers.test(text)) return parsedJson(text);
  try {
    return JSON.parse(text, exactNumber as (name: string, value: unknown) => unknown);
  } catch {
    // It throws for a text that is no JSON, or is nested too deep.
    return undefined;
  }
}

/** @param context with the text of the value, which Node 22 gives and the types do not know */
function exactNumber(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || isExact(value, source)) return value;
  return { number: source };
}

function isExact(value: number, source: string): boolean {
  const digits = source
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
  if (digits === '') return true;
  return digits.length <= SAFE_DIGITS && Number.isFinite(value) && value !== 0;
}
