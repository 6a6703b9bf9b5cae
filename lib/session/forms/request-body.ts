import { noteNumber, parseExactly } from '../../kernel/exact-json.ts';
import { isNestedDeeper } from '../../sending/nesting.ts';
import type { Fields } from './fields.ts';

/** Longer bodies, and those of more levels, are compared as the text that they are: nobody waits for their numbers. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_LEVELS = 500;

/**
 * The content of a request with its body: as JSON where it is JSON, as a client that repeats a request may write its
 * names in another order.
 */
export function withBody(content: Fields, body: unknown, isBase64Encoded: unknown): Fields {
  if (typeof body !== 'string') return { ...content, body: body ?? undefined };
  const text = isBase64Encoded === true ? Buffer.from(body, 'base64').toString('latin1') : body;
  const all = { ...content, body: parsed(text) ?? text };
  // A body that is nothing but a number is in no object that was read.
  noteNumber(all, 'body', all.body, text.trim());
  return all;
}

function parsed(text: string): unknown {
  if (text.length > MAX_CHARACTERS) return undefined;
  try {
    const value = parseExactly(text);
    return isNestedDeeper(value, MAX_LEVELS) ? undefined : value;
  } catch {
    // It throws for nothing but a text that is no JSON.
    return undefined;
  }
}
