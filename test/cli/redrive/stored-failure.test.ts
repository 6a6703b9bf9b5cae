import { expect, it } from '@jest/globals';
import { readStoredFailure } from '../../../lib/cli/redrive/stored-failure.ts';

const SENT = '2026-01-02T03:04:05.678Z';

function failedAtOf(failedAt: string): string {
  const failure = { queue: 'https://queues.test/a', failedAt, code: 'C', message: '', stack: '' };
  const stored = readStoredFailure(
    {
      Body: '{}',
      MessageAttributes: { 'Sagabox.Failure': { DataType: 'String', StringValue: JSON.stringify(failure) } },
      Attributes: { SentTimestamp: String(Date.parse(SENT)) },
    },
    'https://queues.test/123456789012/errors',
    true,
  );
  return stored.failedAt.toISOString();
}

it.each([
  ['when its header says', '2026-01-02T03:00:00.000Z', '2026-01-02T03:00:00.000Z'],
  ['no later than it was sent to the queue', '9999-01-01T00:00:00.000Z', SENT],
])('a message has failed %s', (_, stated, failedAt) => {
  expect(failedAtOf(stated)).toBe(failedAt);
});
