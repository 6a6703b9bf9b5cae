import { describe, expect, it } from '@jest/globals';
import type { Commit } from '../../lib/outbox/commit.ts';
import { pack } from '../../lib/outbox/packing.ts';
import { outboxWrite, recordOf } from '../../lib/outbox/record.ts';
import { type StoredResponse, storedResponse } from '../../lib/outbox/stored-response.ts';
import { at, commitOf, fingerprint } from '../support/commits.ts';
import { numberedMessages, operationsOfSize } from '../support/outgoing-messages.ts';
import type { OpenSubject } from './ports-contract.ts';

const later = new Date('2026-01-02T04:00:00.000Z');

const responses: [string, StoredResponse][] = [
  ['JSON', { json: '{"statusCode":200,"body":"ä 😀"}' }],
  ['compressed JSON', storedResponse(JSON.stringify('x'.repeat(100_000)))],
  ['a claim check', { claimCheck: 'claim-checks/orders/in-1/0.json' }],
];

export function sessionCommit(
  messageId: string,
  response: StoredResponse,
  operations: Parameters<typeof outboxWrite>[0]['operations'] = [],
): Commit {
  return commitOf({
    outbox: outboxWrite({ endpoint: 'orders', messageId, operations, storedAt: at, fingerprint, response }),
  });
}

export function describeResponses(open: OpenSubject): void {
  describe('the response of a session', () => {
    it.each(responses)('is kept by the commit and by the mark: %s', async (_, response) => {
      const { outbox, committer } = (await open()).ports('orders');
      await committer.commit(sessionCommit('in-1', response, numberedMessages(3)));
      const record = await outbox.find('in-1');
      expect(bytesOf(record?.response)).toEqual(bytesOf(response));
      expect(record?.operations).toHaveLength(3);
      if (record) await outbox.markDispatched(record, later);
      const marked = await outbox.find('in-1');
      expect(marked).toMatchObject({ dispatched: true, operations: [] });
      expect(bytesOf(marked?.response)).toEqual(bytesOf(response));
    });

    it.each(responses)('is kept with nothing to send: %s', async (_, response) => {
      const { outbox, committer } = (await open()).ports('orders');
      await committer.commit(sessionCommit('in-1', response));
      const record = await outbox.find('in-1');
      expect(record?.dispatched).toBe(true);
      expect(bytesOf(record?.response)).toEqual(bytesOf(response));
    });

    it('is in the record, and operations that do not fit beside it are in chunks', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const operations = operationsOfSize(150_000);
      const response = { json: JSON.stringify('x'.repeat(250_000)) };
      const content = {
        endpoint: 'orders',
        messageId: 'in-1',
        operations,
        storedAt: at,
        fingerprint,
        response,
      };
      const outboxOfTwo = recordOf(content, pack(operations, content), 's');
      expect(outboxOfTwo.chunkCount).toBe(1);
      await committer.commit(commitOf({ outbox: outboxOfTwo }));
      const record = await outbox.find('in-1');
      expect(record?.operations).toEqual(operations);
      expect(record?.response).toEqual(response);
    });
  });
}

/** Bytes come back as another kind of array. */
function bytesOf(response: StoredResponse | undefined): unknown {
  return response && 'compressed' in response ? [...response.compressed] : response;
}
