import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { objectOr } from './fields.ts';

/**
 * All values of a header of a request. AppSync has headers in `request`, and the same ones in each event of a batch.
 *
 * @param name in lower case
 */
export function headerValues(event: unknown, name: string): readonly string[] {
  const one = objectOr(Array.isArray(event) ? event[0] : event);
  const { headers, multiValueHeaders } = isHolder(one) ? one : objectOr(one.request);
  const values = valuesIn(multiValueHeaders, name);
  return values.length > 0 ? values : valuesIn(headers, name);
}

function isHolder({ headers, multiValueHeaders }: Readonly<Record<string, unknown>>): boolean {
  return isJsonObject(headers) || isJsonObject(multiValueHeaders);
}

function valuesIn(headers: unknown, name: string): string[] {
  return Object.entries(objectOr(headers)).flatMap(([key, values]) =>
    key.toLowerCase() === name ? [values].flat().filter((value) => typeof value === 'string') : [],
  );
}
