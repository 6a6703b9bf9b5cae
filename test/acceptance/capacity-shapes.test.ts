import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SagaboxError } from 'sagabox';
import { itemSize, type MessageShape, planMessage } from 'sagabox/capacity';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, type Fault } from '../support/faults.ts';
import { createStreamedTable } from '../support/relay-subject.ts';
import { cells } from '../support/samples.ts';
import {
  type Besides,
  differences,
  GridEndpoint,
  type GridSetup,
  learnBesides,
  putItems,
  storedShape,
} from './capacity-grid/grid-endpoint.ts';
import { modes } from './modes.ts';

const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
// Before the recorder, so that it sees what goes wrong.
const faults = new ClientFaults(clients.dynamoDBClient);

const places = { sagaTable: '', outboxTable: '', queueUrls: ['', ''] };
let besides: Besides;
beforeAll(async () => {
  places.sagaTable = await createTable();
  places.outboxTable = await createTable();
  places.queueUrls = [await createQueue(), await createQueue()];
  besides = await withEndpoint({}, learnBesides);
});

async function withEndpoint<T>(
  setup: Partial<GridSetup>,
  work: (endpoint: GridEndpoint) => Promise<T>,
): Promise<T> {
  const endpoint = new GridEndpoint({
    ...clients,
    ...places,
    locking: { mode: 'optimistic' },
    outbox: true,
    ...setup,
  });
  try {
    return await work(endpoint);
  } finally {
    endpoint.stop();
  }
}

/** Messages of more than that take seconds; those of a few MB are in the tests of limits, below. */
const MAX_BYTES = 1_000_000;

/**
 * Of the saga's item and of each message as it is kept; by its headers the smallest message has more than
 * 200.
 */
const sizes = [200, 1024, 5 * 1024, 60 * 1024];
const grid = cells(
  sizes.flatMap((bytes) =>
    [0, 1, 3, 10, 40]
      .filter((outgoing) => outgoing * bytes <= MAX_BYTES)
      .map((outgoing) => ({ bytes, outgoing })),
  ),
  // Nothing sent, one unit and more, one call of a queue and more, and a record in chunks.
  ({ bytes, outgoing }) => ['200 0', '1024 3', '5120 40', '61440 10'].includes(`${bytes} ${outgoing}`),
);

/** What is read in eventual mode, each step of an exactly-once test and of `measure` counts too. */
const planned = cells(modes, ({ name }) => name !== 'eventual');

/** Of items that are not rounded to the same units by chance. */
const sagaText = 5_000;
const messageText = 3_000;

describe.each(planned)('Cost: the plan in $name mode', ({ name, locking }) => {
  const mode = name as NonNullable<MessageShape['locking']>;
  const shapeOf = (shape: MessageShape): MessageShape => ({
    locking: mode,
    sagaBytes: besides.saga + sagaText,
    messageBytes: besides.message + messageText,
    metadataBytes: besides.metadata,
    ...shape,
  });

  describe.each([
    ['with', true],
    ['without', false],
  ])('%s an outbox', (_with, outbox) => {
    it.each(grid)('is right for $outgoing messages of $bytes bytes', async ({ bytes, outgoing }) => {
      await withEndpoint({ locking, outbox }, async (endpoint) => {
        const sagaId = endpoint.newSagaId();
        const sagaText = Math.max(0, bytes - besides.saga);
        const messageText = Math.max(0, bytes - besides.message);
        await endpoint.deliver('Start', { sagaId, sagaText });
        const calls = await endpoint.deliver('Step', { sagaId, sagaText, outgoing, messageText });

        const stored = storedShape(calls);
        const messageBytes = besides.message + messageText;
        expect(stored.sagaBytes).toBe(Math.max(bytes, besides.saga));
        if (outbox && outgoing > 0) expect(stored.messageBytes).toBe(messageBytes);
        const { steps } = planMessage(shapeOf({ outbox, outgoing, messageBytes, ...stored }));
        expect(differences(steps, calls)).toEqual([]);
        expect([...endpoint.recorder.doubts, ...endpoint.problems]).toEqual([]);
      });
    });

    it('is right for a saga that is created', async () => {
      await withEndpoint({ locking, outbox }, async (endpoint) => {
        // The first one tells the lock that this type of message creates sagas.
        await endpoint.deliver('Start', { sagaId: endpoint.newSagaId(), sagaText });
        const body = { sagaId: endpoint.newSagaId(), sagaText, outgoing: 2, messageText };
        const calls = await endpoint.deliver('Start', body);
        const shape = shapeOf({ outbox, sagaChange: 'create', outgoing: 2, ...storedShape(calls) });
        expect(differences(planMessage(shape).steps, calls)).toEqual([]);
        expect([...endpoint.recorder.doubts, ...endpoint.problems]).toEqual([]);
      });
    });

    it.each([
      ['complete', 0],
      ['complete', 3],
      ['none', 0],
      ['none', 3],
    ] as const)("is right for the saga change '%s' with %i messages", async (change, outgoing) => {
      await withEndpoint({ locking, outbox }, async (endpoint) => {
        const sagaId = endpoint.newSagaId();
        await endpoint.deliver('Start', { sagaId, sagaText });
        const calls = await endpoint.deliver('Step', { sagaId, sagaText, outgoing, messageText, change });
        const { sagaBytes: _ofPuts, ...stored } = storedShape(calls);
        const shape = shapeOf({ outbox, sagaChange: change, outgoing, ...stored });
        expect(differences(planMessage(shape).steps, calls)).toEqual([]);
        expect(endpoint.problems).toEqual([]);
      });
    });

    it('is right for a handler that fails', async () => {
      await withEndpoint({ locking, outbox }, async (endpoint) => {
        const sagaId = endpoint.newSagaId();
        await endpoint.deliver('Start', { sagaId, sagaText });
        const calls = await endpoint.deliver('Step', { sagaId, sagaText, change: 'fail' });
        const ofMessage = calls.filter(({ operation }) => operation !== 'ChangeMessageVisibilityBatch');
        expect(differences(planMessage(shapeOf({ outbox })).failedHandler.steps, ofMessage)).toEqual([]);
      });
    });
  });

  it.each([
    [true, 1, 10, 0],
    [true, 3, 2_000, 2],
    [false, 1, 10, 0],
    [false, 3, 2_000, 0],
  ])(
    "is right with 'outbox: %s' for %i appended values of %i bytes",
    async (outbox, appended, valueText, outgoing) => {
      await withEndpoint({ locking, outbox }, async (endpoint) => {
        const sagaId = endpoint.newSagaId();
        await endpoint.deliver('Start', { sagaId, sagaText });
        const body = { sagaId, sagaText, appended, valueText, outgoing, messageText };
        const messageId = `append-${name}-${outbox}-${appended}`;
        const calls = await endpoint.deliver('Append', body, messageId);
        const contributionBytes = contributionBytesOf(calls);
        const shape = shapeOf({ outbox, appended, contributionBytes, outgoing, ...storedShape(calls) });
        const { steps, duplicate } = planMessage(shape);
        expect(differences(steps, calls)).toEqual([]);
        expect(endpoint.problems).toEqual([]);
        const again = await endpoint.deliver('Append', body, messageId);
        expect(differences(duplicate.steps, again)).toEqual([]);
        const missed = await endpoint.deliver('Append', { ...body, sagaId: endpoint.newSagaId() });
        if (outbox) expect(differences(planMessage(shape).discard.steps, missed)).toEqual([]);
      });
    },
  );

  it.each([
    [5, 10, 'update'],
    [90, 10, 'update'],
    // Two pages, of which DynamoDB Local puts one item more into the first: the sum is the same.
    [30, 49_000, 'update'],
    [5, 3_000, 'complete'],
  ] as const)(
    "is right for %i collected values of %i bytes with the saga change '%s'",
    async (collected, valueText, change) => {
      await withEndpoint({ locking }, async (endpoint) => {
        const sagaId = endpoint.newSagaId();
        await endpoint.deliver('Start', { sagaId, sagaText });
        const appending = await endpoint.deliver('Append', {
          sagaId,
          sagaText,
          appended: collected,
          valueText,
        });
        const contributionBytes = contributionBytesOf(appending);
        const calls = await endpoint.deliver('Collect', { sagaId, sagaText, change });
        const shape = shapeOf({ collected, contributionBytes, sagaChange: change, ...storedShape(calls) });
        expect(differences(planMessage(shape).steps, calls)).toEqual([]);
        expect(endpoint.problems).toEqual([]);
      });
    },
  );

  it('is right for a message that no saga waits for', async () => {
    await withEndpoint({ locking }, async (endpoint) => {
      const calls = await endpoint.deliver('Step', { sagaId: endpoint.newSagaId(), sagaText });
      const { steps, wcu } = planMessage(shapeOf({})).discard;
      expect(differences(steps, calls)).toEqual([]);
      const refused = calls.reduce((sum, { refusedWcu }) => sum + refusedWcu, 0);
      const planned = steps.reduce((sum, { refusedWcu = 0 }) => sum + refusedWcu, 0);
      expect([wcu, planned, refused]).toEqual(name === 'pessimistic' ? [5, 1, 1] : [4, 0, 0]);
    });
  });

  it.each(['update', 'complete'] as const)(
    "is right for a duplicate after the saga change '%s'",
    async (change) => {
      await withEndpoint({ locking }, async (endpoint) => {
        const sagaId = endpoint.newSagaId();
        const body = { sagaId, sagaText, outgoing: 3, messageText, change };
        await endpoint.deliver('Start', { sagaId, sagaText });
        const first = await endpoint.deliver('Step', body, `id-${name}-${change}`);
        const { sagaBytes: _ofPuts, ...stored } = storedShape(first);
        const calls = await endpoint.deliver('Step', body, `id-${name}-${change}`);
        const { duplicate } = planMessage(shapeOf({ outgoing: 3, sagaChange: change, ...stored }));
        expect(differences(duplicate.steps, calls)).toEqual([]);
        expect(endpoint.problems).toEqual([]);
      });
    },
  );

  it.each([
    ['in the record', 3, messageText],
    ['in chunks', 4, 250_000],
  ])('is right for what a crash left undispatched %s', async (_where, outgoing, text) => {
    await withEndpoint({ locking }, async (endpoint) => {
      const sagaId = endpoint.newSagaId();
      const body = { sagaId, sagaText, outgoing, messageText: text };
      const messageId = `id-${name}-${outgoing}`;
      await endpoint.deliver('Start', { sagaId, sagaText });
      dieBeforeMark(faults);
      const first = await endpoint.deliver('Step', body, messageId);
      const calls = await endpoint.deliver('Step', body, messageId);
      const shape = shapeOf({ outgoing, ...storedShape(first) });
      const { redispatch, storedItemBytes } = planMessage(shape);
      expect(storedItemBytes.length > 1).toBe(text > messageText);
      expect(differences(redispatch.steps, calls)).toEqual([]);
      const again = await endpoint.deliver('Step', body, messageId);
      expect(differences(planMessage(shape).duplicate.steps, again)).toEqual([]);
    });
  });

  it('is right for several queues and one table for all', async () => {
    const tableName = await createStreamedTable(clients.dynamoDBClient);
    const shared = { sagaTable: tableName, outboxTable: tableName };
    await withEndpoint({ locking, ...shared }, async (endpoint) => {
      const sagaId = endpoint.newSagaId();
      const body = { sagaId, sagaText, outgoing: 23, messageText, destinations: 2 };
      await endpoint.deliver('Start', { sagaId, sagaText });
      const calls = await endpoint.deliver('Step', body);
      const shape = shapeOf({ outgoing: 23, destinations: 2, ...storedShape(calls) });
      const { steps } = planMessage(shape, { sharedTable: true });
      expect(differences(steps, calls)).toEqual([]);
      expect([...endpoint.recorder.doubts, ...endpoint.problems]).toEqual([]);
    });
  });
});

function contributionBytesOf(calls: Parameters<typeof putItems>[0]): number {
  const [item = {}] = putItems(calls).filter(({ SK }) => SK?.S?.startsWith('APPEND#'));
  return itemSize(item);
}

/** The mark of a record with chunks begins with its progress, which the others have none of. */
function dieBeforeMark(faults: ClientFaults): void {
  faults.reset();
  let isGone = false;
  const die: Fault = (input, proceed) => {
    const isLock = input.UpdateExpression !== undefined && !input.UpdateExpression.includes('#sent');
    if (isGone || isLock) return proceed();
    isGone = true;
    throw new Error('The function is gone');
  };
  faults.plan('UpdateItem', die, 2);
  faults.plan('BatchWriteItem', die);
}

describe('Cost: the plan of what is over a limit', () => {
  // Either text takes a second to make.
  const limits: [string, number, number, string][] = [
    ['4 MB of a transaction', 12, 1_000_000, 'TransactionLimit'],
    ['16 MB of messages', 17, 1_000_000, 'TransactionLimit'],
  ];
  it.each(cells(limits, ([limit]) => limit.startsWith('16')))(
    'is refused as a run is: %s',
    async (_limit, outgoing, text, code) => {
      const errors: unknown[] = [];
      const onMessage = ({ error }: { error?: unknown }) => void errors.push(error);
      await withEndpoint({ onMessage }, async (endpoint) => {
        const sagaId = endpoint.newSagaId();
        await endpoint.deliver('Start', { sagaId, sagaText: 0 });
        await endpoint.deliver('Step', { sagaId, sagaText: 0, outgoing, messageText: text });
        const shape = { outgoing, messageBytes: besides.message + text, compressionRatio: 0.41 };
        const planned = causeOf(() => planMessage({ ...shape, sagaBytes: besides.saga }));
        const [met] = errors.slice(-1);
        expect(met).toMatchObject({ code });
        expect({ code: planned.code, facts: limitOf(planned) }).toEqual({
          code,
          facts: limitOf(met as SagaboxError),
        });
      });
    },
  );
});

function causeOf(plan: () => unknown): SagaboxError {
  try {
    plan();
  } catch (error) {
    expect(error).toMatchObject({ code: 'Configuration' });
    return (error as Error).cause as SagaboxError;
  }
  throw new Error('The plan was not refused');
}

function limitOf({ facts }: SagaboxError): unknown {
  const { limit, maximum } = facts as { limit?: string; maximum?: number };
  return { limit, maximum };
}
