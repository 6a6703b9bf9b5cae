import { configurationError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { patternTest } from '../events/bridge/pattern.ts';

/** The property of an event source mapping. */
export interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/**
 * Whether a mapping hands over a record: one of its filters matches, or it has none. The syntax is that of event
 * patterns.
 *
 * Source: "Control which events Lambda sends to your function".
 *
 * @param mapping the logical id, for the error
 * @throws SagaboxError `Configuration` for a pattern that is wrong, or valid on AWS and not played here
 */
export function recordFilter(
  { Filters: filters = [] }: FilterCriteria,
  mapping: string,
): (record: object) => boolean {
  const tests = filters.map(({ Pattern: pattern = '' }) => {
    try {
      return patternTest(JSON.parse(pattern));
    } catch (cause) {
      const problem = `its filter ${pattern} cannot be used: ${thrownMessage(cause)}`;
      throw configurationError(mapping, problem, 'Correct the filter, or disable the mapping', { cause });
    }
  });
  return (record) => tests.length === 0 || tests.some((test) => test(record));
}
