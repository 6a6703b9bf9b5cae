import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MessageShape, planMessage } from 'sagabox/capacity';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { type Besides, GridEndpoint, learnBesides, storedShape } from './capacity-grid/grid-endpoint.ts';
import { differences } from './capacity-grid/step-differences.ts';
import { modes } from './modes.ts';

/**
 * Of the saga's item and of each message as it is kept; the smallest message takes more than 200 bytes, by
 * its headers.
 */
const sizes = [200, 1024, 5 * 1024, 60 * 1024];
const outgoingCounts = [0, 1, 3, 10, 40];
const shapes = sizes.flatMap((bytes) => outgoingCounts.map((outgoing) => ({ bytes, outgoing })));

const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };

const places = { sagaTable: '', outboxTable: '', queueUrls: [''] };
let besides: Besides;
beforeAll(async () => {
  places.sagaTable = await createTable();
  places.outboxTable = await createTable();
  places.queueUrls = [await createQueue()];
  const endpoint = new GridEndpoint({ ...clients, ...places, locking: { mode: 'optimistic' }, outbox: true });
  besides = await learnBesides(endpoint);
  endpoint.stop();
});

describe.each(modes)('the plan of a message, $name', ({ name, locking }) => {
  describe.each([true, false])('with outbox: %s,', (outbox) => {
    let endpoint: GridEndpoint;
    beforeAll(() => {
      endpoint = new GridEndpoint({ ...clients, ...places, locking, outbox });
    });
    afterAll(() => endpoint.stop());

    it.each(shapes)('is what its calls amount to: $outgoing x $bytes bytes', async ({ bytes, outgoing }) => {
      const sagaId = endpoint.newSagaId();
      const sagaText = Math.max(0, bytes - besides.saga);
      const messageText = Math.max(0, bytes - besides.message);
      await endpoint.deliver('Start', { sagaId, sagaText });
      const calls = await endpoint.deliver('Step', { sagaId, sagaText, outgoing, messageText });

      const stored = storedShape(calls);
      const messageBytes = besides.message + messageText;
      const shape = { outbox, outgoing, messageBytes, metadataBytes: besides.metadata, ...stored };
      expect(stored.sagaBytes).toBe(Math.max(bytes, besides.saga));
      if (outbox && outgoing > 0) expect(stored.messageBytes).toBe(messageBytes);
      const { steps } = planMessage({ ...shape, locking: name as NonNullable<MessageShape['locking']> });
      expect(differences(steps, calls)).toEqual([]);
      expect([...endpoint.recorder.doubts, ...endpoint.problems]).toEqual([]);
    });
  });
});
