import { SendMessageBatchCommand, type SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedQueueSender } from '../../../lib/compose/shared-queue-sender.ts';
import { InFlight } from '../../../lib/kernel/calls/in-flight.ts';
import type { QueueDestination } from '../../../lib/messages/destinations/destination.ts';
import { sqsService } from '../../../lib/sending/transports/send-service.sqs.ts';
import { Sender } from '../../../lib/sending/transports/sender.ts';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { codeOf, errorOf } from '../../support/error-of.ts';
import { awsError, connectionLost, type Fault, sqsError } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages, outgoingMessage, wireMessageOfSize } from '../../support/outgoing-messages.ts';
import { drain } from '../../support/queue.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchedClient } from '../../support/watched-client.ts';
import { dispatcherBy } from './transport-behaviour.ts';

const { client, faults } = watchedClient(sqsClient());
const otherClient = sqsClient();

let clock: MovingClock;
let commits: InFlight;
let sender: Sender<QueueDestination>;

beforeEach(() => {
  clock = new MovingClock();
  commits = new InFlight();
  sender = new Sender({ service: sqsService(client), clock, commits });
});

/** The dispatcher of an endpoint: those whose messages are dispatched at once have one sender. */
const dispatcherTo = (queueUrls: Record<string, string>) => dispatcherBy(sender, queueUrls);

const mebibyte = 1024 * 1024;
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

  it('fill their calls, whoever sends: 4, 4 and 4 messages are calls of 10 and 2', async () => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing });
    const messages = numberedMessages(12);
    await Promise.all([0, 4, 8].map((start) => dispatcher.dispatch(messages.slice(start, start + 4))));
    expect(sentIds().map(({ length }) => length)).toEqual([10, 2]);
  });

  it.each([
    ['of 1 MiB together are one call', [mebibyte / 2, mebibyte / 2], [['0', '1']]],
    ['of one byte more are two', [mebibyte / 2, mebibyte / 2 + 1], [['0'], ['1']]],
    ['of 1 MiB each are one call each', [mebibyte, mebibyte], [['0'], ['1']]],
    ['fill the calls that have room', [600_000, 600_000, 300], [['0', '2'], ['1']]],
  ])('%s', async (_case, sizes, calls) => {
    const billing = await createQueue();
    const dispatcher = dispatcherTo({ billing });
    const messages = sizes.map((size, index) => wireMessageOfSize(size, { id: String(index) }));
    await Promise.all(messages.map((message) => dispatcher.dispatch([message])));
    expect(sentIds()).toEqual(calls);
    expect(await arrived(billing)).toEqual(messages.map(({ id }) => id));
  });

  it('count the bytes of UTF-8 and of attributes, not characters of the body', async () => {
    const dispatcher = dispatcherTo({ billing: await createQueue() });
    const headers = { currency: '€'.repeat(1000) };
    const euros = wireMessageOfSize(mebibyte / 2, { id: '0', headers }, '€');
    await dispatcher.dispatch([euros, wireMessageOfSize(mebibyte / 2, { id: '1' })]);
    await dispatcher.dispatch([euros, wireMessageOfSize(mebibyte / 2 + 1, { id: '1' })]);
    expect(sentIds()).toEqual([['0', '1'], ['0'], ['1']]);
  });

  it('that are too large for any call are sent by themselves', async () => {
    const dispatcher = dispatcherTo({ billing: await createQueue() });
    const tooLarge = wireMessageOfSize(mebibyte + 1, { id: 'a' });
    await errorOf(dispatcher.dispatch([tooLarge, ...one('b')]));
    expect(sentIds()).toEqual([['a'], ['b']]);
  });

  it.each([
    ['true', [['a0', 'b1', 'c3'], ['a2'], ['a4']]],
    ['false', [['a0', 'b1', 'a2', 'c3', 'a4']]],
  ])('hold one message of each group where it has an order (FIFO: %s)', async (FifoQueue, calls) => {
    const billing = await createQueue(FifoQueue === 'true' ? { FifoQueue } : {});
    const dispatcher = dispatcherTo({ billing });
    const ofGroups = ['a', 'b', 'a', 'c', 'a'].map((messageGroupId, index) =>
      outgoingMessage({ id: `${messageGroupId}${index}`, messageGroupId }),
    );
    await dispatcher.dispatch(ofGroups);
    expect(sentIds()).toEqual(calls);
    faults.reset();
    await Promise.all(ofGroups.map((message) => dispatcher.dispatch([message])));
    expect(sentIds()).toEqual(calls);
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
    const commit = commits.during(committed);
    await dispatcherTo({ billing }).dispatch(one('a'));
    expect(clock.sleepsMs).toEqual([100]);
    end();
    await commit;
  });

  it('does not wait when its call is full', async () => {
    const billing = await createQueue();
    const { promise: committed, resolve: end } = Promise.withResolvers<void>();
    const commit = commits.during(committed);
    const patient = new MovingClock();
    patient.sleep = async (_durationMs: number, signal?: AbortSignal) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    sender = new Sender({ service: sqsService(client), clock: patient, commits });
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

  it.each([
    ['that SQS throttles', sqsError('RequestThrottled')],
    ['whose credentials have expired', sqsError('ExpiredToken')],
    ['whose connection breaks', connectionLost()],
    [
      'whose answer is none of SQS',
      Object.assign(awsError('Unknown'), { $metadata: { httpStatusCode: 502 } }),
    ],
  ])('%s is DispatchFailed for each, and not made again', async (_case, failure) => {
    const dispatcher = dispatcherTo({ billing: await createQueue() });
    faults.fail('SendMessageBatch', failure, 27);
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const codes = await Promise.all(ids.map((id) => codeOf(dispatcher.dispatch(one(id)))));
    expect(codes).toEqual(ids.map(() => 'DispatchFailed'));
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

  it('has at most ten calls to a queue under way, however large the messages are', async () => {
    const billing = await createQueue();
    let [underWay, most] = [0, 0];
    const count: Fault = async (_input, proceed) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const answer = await proceed();
      underWay -= 1;
      return answer;
    };
    faults.plan('SendMessageBatch', count, 12);
    const large = Array.from({ length: 12 }, (_, n) => wireMessageOfSize(mebibyte * 0.6, { id: `m${n}` }));
    await dispatcherTo({ billing }).dispatch(large);
    expect([most, faults.requests.length]).toEqual([10, 12]);
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

describe('the sender of a client', () => {
  it('is one for all whose commits are counted together', () => {
    const shared = sharedQueueSender(client, clock, commits);
    expect(sharedQueueSender(client, new MovingClock(), commits)).toBe(shared);
    expect(sharedQueueSender(client, clock, new InFlight())).not.toBe(shared);
    expect(sharedQueueSender(otherClient, clock, commits)).not.toBe(shared);
  });
});
