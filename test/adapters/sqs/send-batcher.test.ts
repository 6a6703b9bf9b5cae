import { SendMessageBatchCommand, type SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { InFlight } from '../../../lib/adapters/shared/in-flight.ts';
import { SqsDispatcher } from '../../../lib/adapters/sqs/dispatcher.ts';
import { SendBatcher, sharedSendBatcher } from '../../../lib/adapters/sqs/send-batcher.ts';
import { parseDestinations } from '../../../lib/core/outgoing/destination.ts';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { awsError, connectionLost, type Fault, sqsError } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages, outgoingMessage, wireMessageOfSize } from '../../support/outgoing-messages.ts';
import { drain } from '../../support/queue.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(sqsClient());
const otherClient = sqsClient();

let clock: MovingClock;
let commits: InFlight;
let sends: SendBatcher;

beforeEach(() => {
  clock = new MovingClock();
  commits = new InFlight();
  sends = new SendBatcher(client, clock, commits);
});

/** As many messages that are dispatched at once have: one batcher. */
const dispatcherTo = (queueUrls: Record<string, string>) =>
  new SqsDispatcher({ sends, destinations: parseDestinations(queueUrls, 'test'), clock });

const one = (id: string, overrides = {}) => [outgoingMessage({ id, ...overrides })];
const sentIds = () =>
  faults.requests.map(({ input }) =>
    (input.Entries as SendMessageBatchRequestEntry[]).map(
      (entry) => entry.MessageAttributes?.['Sagabox.MessageId']?.StringValue,
    ),
  );
const arrived = async (queueUrl: string) =>
  (await drain(otherClient, queueUrl)).map(({ id }) => id).toSorted();

/** SQS fails one entry of the next call, and takes the others. */
function takeAllBut(id: string, failure: { SenderFault: boolean; Code: string }): void {
  faults.plan('SendMessageBatch', async ({ QueueUrl, Entries }) => {
    const taken = (Entries as SendMessageBatchRequestEntry[]).filter(({ Id }) => Id !== id);
    await otherClient.send(new SendMessageBatchCommand({ QueueUrl, Entries: taken }));
    return { $metadata: {}, Failed: [{ Id: id, ...failure }] };
  });
}

describe('dispatches to one queue at once', () => {
  it('are one call, whose entries have ids of their own', async () => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing });
    await Promise.all(['a', 'b', 'c'].map((id) => dispatcher.dispatch(one(id))));
    expect(sentIds()).toEqual([['a', 'b', 'c']]);
    expect(faults.requests[0]?.input.Entries.map(({ Id }: { Id: string }) => Id)).toEqual(['0', '1', '2']);
    expect(await arrived(billing)).toEqual(['a', 'b', 'c']);
  });

  it('of two endpoints, under two names, are one call too', async () => {
    const queue = await createQueue();
    await Promise.all([
      dispatcherTo({ billing: queue }).dispatch(one('a')),
      dispatcherTo({ invoices: queue }).dispatch(one('b', { destination: 'invoices' })),
    ]);
    expect(sentIds()).toEqual([['a', 'b']]);
  });

  it('are a call for each queue', async () => {
    const [billing, shipping] = await Promise.all([createQueue(), createQueue()]);
    const dispatcher = dispatcherTo({ billing, shipping });
    await Promise.all(
      ['a', 'b'].map((id) =>
        dispatcher.dispatch([...one(id), ...one(`${id}2`, { destination: 'shipping' })]),
      ),
    );
    expect(sentIds()).toEqual([
      ['a', 'b'],
      ['a2', 'b2'],
    ]);
  });

  it.each([
    [10, [10]],
    [11, [10, 1]],
    [25, [10, 10, 5]],
  ])('of one message each: %i are calls of %j', async (count, calls) => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing });
    await Promise.all(numberedMessages(count).map((message) => dispatcher.dispatch([message])));
    expect(sentIds().map(({ length }) => length)).toEqual(calls);
    expect(await arrived(billing)).toHaveLength(count);
  });

  it('are never split: 4, 4 and 4 messages are calls of 8 and 4', async () => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing });
    const messages = numberedMessages(12);
    await Promise.all([0, 4, 8].map((start) => dispatcher.dispatch(messages.slice(start, start + 4))));
    expect(sentIds().map(({ length }) => length)).toEqual([8, 4]);
  });

  it.each([
    [512 * 1024, 1],
    [512 * 1024 + 1, 2],
  ])('of 512 KiB and of %i bytes are %i calls', async (bytes, calls) => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing });
    await Promise.all([
      dispatcher.dispatch([wireMessageOfSize(512 * 1024, { id: 'a' })]),
      dispatcher.dispatch([wireMessageOfSize(bytes, { id: 'b' })]),
    ]);
    expect(sentIds()).toHaveLength(calls);
    expect(await arrived(billing)).toEqual(['a', 'b']);
  });

  it('of one FIFO group never share a call, of two groups they do', async () => {
    const billing = await createQueue({ FifoQueue: 'true' });
    const dispatcher = dispatcherTo({ billing });
    await Promise.all([
      dispatcher.dispatch(one('a1', { messageGroupId: 'a' })),
      dispatcher.dispatch(one('b1', { messageGroupId: 'b' })),
      dispatcher.dispatch(one('a2', { messageGroupId: 'a' })),
    ]);
    expect(sentIds()).toEqual([['a1', 'b1'], ['a2']]);
  });
});

describe('a send', () => {
  it('goes at once when nothing is being committed', async () => {
    await dispatcherTo({ billing: await createQueue() }).dispatch(one('a'));
    expect(clock.sleepsMs).toEqual([]);
  });

  it('waits for what is being committed, but no longer than 100 ms', async () => {
    const billing = await createQueue();
    const { promise: committed, resolve: end } = Promise.withResolvers<void>();
    const commit = commits.during(() => committed);
    await dispatcherTo({ billing }).dispatch(one('a'));
    expect(clock.sleepsMs).toEqual([100]);
    end();
    await commit;
  });

  it('does not wait when its call is full', async () => {
    const billing = await createQueue();
    const { promise: committed, resolve: end } = Promise.withResolvers<void>();
    const commit = commits.during(() => committed);
    const patient = new MovingClock();
    patient.sleep = async (_durationMs: number, signal?: AbortSignal) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    sends = new SendBatcher(client, patient, commits);
    await dispatcherTo({ billing }).dispatch(numberedMessages(10));
    expect(sentIds().map(({ length }) => length)).toEqual([10]);
    end();
    await commit;
  });
});

describe('a shared call', () => {
  it('of which SQS refuses an entry fails the message of that entry only', async () => {
    const billing = await createQueue();
    takeAllBut('1', { SenderFault: true, Code: 'InvalidMessageContents' });
    const dispatcher = dispatcherTo({ billing });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => dispatcher.dispatch(one(id))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'DispatchRefused' } });
    expect(await arrived(billing)).toEqual(['a', 'c']);
  });

  it('of which SQS fails entries for now sends them again for their own messages', async () => {
    const billing = await createQueue();
    takeAllBut('0', { SenderFault: false, Code: 'InternalError' });
    const dispatcher = dispatcherTo({ billing });
    await Promise.all(['a', 'b'].map((id) => dispatcher.dispatch(one(id))));
    expect(sentIds()).toEqual([['a', 'b'], ['a']]);
    expect(await arrived(billing)).toEqual(['a', 'b']);
  });

  it('that SQS refuses as a whole is made again for each message by itself', async () => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing });
    const bad = one('bad', { body: 'bad' });
    const refuseBad: Fault = async ({ Entries }, proceed) => {
      const bodies = (Entries as SendMessageBatchRequestEntry[]).map(({ MessageBody }) => MessageBody);
      if (bodies.includes('"bad"')) throw sqsError('InvalidMessageContents');
      return await proceed();
    };
    faults.plan('SendMessageBatch', refuseBad, 4);
    const outcomes = await Promise.allSettled([
      dispatcher.dispatch(one('a')),
      dispatcher.dispatch(bad),
      dispatcher.dispatch(one('c')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(sentIds()).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
    expect(await arrived(billing)).toEqual(['a', 'c']);
  });

  it('that SQS throttles is DispatchFailed for each, and not made again', async () => {
    const billing = await createQueue();
    faults.fail('SendMessageBatch', sqsError('RequestThrottled'));
    const dispatcher = dispatcherTo({ billing });
    const errors = await Promise.all(['a', 'b'].map((id) => sagaboxErrorOf(dispatcher.dispatch(one(id)))));
    expect(errors.map(({ code, retryable }) => [code, retryable])).toEqual([
      ['DispatchFailed', true],
      ['DispatchFailed', true],
    ]);
    expect(faults.requests).toHaveLength(1);
  });

  it.each([
    ['a connection that breaks', connectionLost()],
    [
      'an answer that is none of SQS',
      Object.assign(awsError('Unknown'), { $metadata: { httpStatusCode: 502 } }),
    ],
  ])('that gets no answer, by %s, is DispatchFailed for each, and not made again', async (_case, failure) => {
    const billing = await createQueue();
    faults.fail('SendMessageBatch', failure, 27);
    const dispatcher = dispatcherTo({ billing });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const errors = await Promise.all(ids.map((id) => sagaboxErrorOf(dispatcher.dispatch(one(id)))));
    expect(errors.map(({ code, retryable }) => [code, retryable])).toEqual(
      ids.map(() => ['DispatchFailed', true]),
    );
    // The SDK makes three attempts of it, unless its retries are disabled as here.
    expect(faults.requests).toHaveLength(1);
  });

  it('goes on for the others when one is aborted, which waits no longer', async () => {
    const billing = await createQueue();
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    const [aborted, other] = [new AbortController(), new AbortController()];
    faults.plan('SendMessageBatch', async (_input, proceed) => {
      aborted.abort(new Error('time is up'));
      await mayGo;
      return await proceed();
    });
    const dispatcher = dispatcherTo({ billing });
    const first = errorOf(dispatcher.dispatch(one('a'), { signal: aborted.signal }));
    const second = dispatcher.dispatch(one('b'), { signal: other.signal });
    expect(await first).toHaveProperty('message', 'time is up');
    go();
    await second;
    expect(sentIds()).toEqual([['a', 'b']]);
    expect(await arrived(billing)).toEqual(['a', 'b']);
  });

  it('ends when all are aborted', async () => {
    const billing = await createQueue();
    const controllers = [new AbortController(), new AbortController()];
    let isEnded = false;
    faults.plan('SendMessageBatch', async (_input, proceed) => {
      for (const controller of controllers) controller.abort(new Error('time is up'));
      return await proceed().catch((error: unknown) => {
        isEnded = (error as Error).name === 'AbortError';
        throw error;
      });
    });
    const dispatcher = dispatcherTo({ billing });
    const errors = await Promise.all(
      controllers.map(({ signal }, index) => errorOf(dispatcher.dispatch(one(`m${index}`), { signal }))),
    );
    expect(errors).toEqual(controllers.map(({ signal }) => signal.reason));
    await waitUntil(async () => isEnded);
    expect(await arrived(billing)).toEqual([]);
  });

  it('to a queue that is gone fails nobody who sends elsewhere', async () => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing, lost: `${billing}-lost` });
    const [lost, fine] = await Promise.allSettled([
      dispatcher.dispatch(one('a', { destination: 'lost' })),
      dispatcher.dispatch(one('b')),
    ]);
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'DispatchRefused' } });
    expect(fine.status).toBe('fulfilled');
  });
});

describe('the batcher of a client', () => {
  it('is one for all whose commits are counted together', () => {
    const batcher = sharedSendBatcher(client, clock, commits);
    expect(sharedSendBatcher(client, new MovingClock(), commits)).toBe(batcher);
    expect(sharedSendBatcher(client, clock, new InFlight())).not.toBe(batcher);
    expect(sharedSendBatcher(otherClient, clock, commits)).not.toBe(batcher);
  });
});
