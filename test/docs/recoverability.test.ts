import { describe, expect, it } from '@jest/globals';
import { defaults } from '../../lib/compose/defaults.ts';
import { failureLimits } from '../../lib/messages/failures/failure-facts.ts';
import { MAX_RETRY_SECONDS } from '../../lib/recoverability/policy.ts';
import { readPage, tableRows, written } from '../support/page-tables.ts';

describe('docs/guide/recoverability.md', () => {
  const rows = tableRows(readPage('guide/recoverability.md'));

  it.each(['immediateRetries', 'delayedRetries'] as const)('has the defaults of %s', (kind) => {
    const cells = rows.get(kind)?.join(' ') ?? '';
    for (const [name, value] of Object.entries(defaults[kind]))
      expect(cells).toContain(`\`${name}: ${written(value)}\``);
  });

  it.each(Object.entries(defaults.timeMargins))('has the default of timeMargins.%s', (name, value) => {
    expect(rows.get(`timeMargins.${name}`)?.[0]).toBe(`\`${written(value)}\``);
  });

  it('has the longest delay, and the sizes at which an error is cut', () => {
    expect(rows.get('recoverability.retryIn(delay)')?.[0]).toContain(`0 to ${MAX_RETRY_SECONDS} seconds`);
    for (const [fact, bytes] of [
      ['message', failureLimits.messageBytes],
      ['stack', failureLimits.stackBytes],
    ] as const) {
      expect(rows.get(fact)?.[0]).toContain(`cut at ${bytes / 1024} KB`);
    }
  });
});
