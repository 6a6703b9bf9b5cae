import {
  SendMessageBatchCommand,
  type SendMessageBatchCommandInput,
  type SendMessageBatchRequestEntry,
} from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { ClientFaults } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages } from '../../support/outgoing-messages.ts';
import { drain } from '../../support/queue.ts';
import { newDispatcher } from './new-dispatcher.ts';

const client = sqsClient();
const faults = new ClientFaults(client);
const otherClient = sqsClient();

let clock: MovingClock;
beforeEach(() => {
  clock = new MovingClock();
  faults.reset();
});

const dispatcherTo = (queueUrls: Record<string, string>) => newDispatcher(client, clock, queueUrls);

const sentIds = (entries: SendMessageBatchRequestEntry[]) =>
  entries.map((entry) => entry.MessageAttributes?.['Sagabox.MessageId']?.StringValue);

function failedEntry(Id: string, SenderFault = false) {
  return {
    Id,
    SenderFault,
    Code: SenderFault ? 'InvalidMessageContents' : 'InternalError',
    Message: 'Sorry',
  };
}

/** SQS takes the entries whose ids are not given, and refuses the others. */
function takeAllBut(...ids: string[]): void {
  faults.plan('SendMessageBatch', async ({ QueueUrl, Entries }) => {
    const taken = (Entries as SendMessageBatchRequestEntry[]).filter(({ Id = '' }) => !ids.includes(Id));
    const { Successful = [] } =
      taken.length > 0
        ? await otherClient.send(new SendMessageBatchCommand({ QueueUrl, Entries: taken }))
        : {};
    return { $metadata: {}, Successful, Failed: ids.map((id) => failedEntry(id)) };
  });
}

describe('entries that SQS does not take', () => {
  it('are sent again, they alone and in their order, after growing delays', async () => {
    const billing = await createQueue();
    takeAllBut('0', '2', '3');
    // Of the three of the second call.
    takeAllBut('1', '2');
    await dispatcherTo({ billing }).dispatch(numberedMessages(5));

    expect(faults.requests.map(({ input }) => sentIds(input.Entries))).toEqual([
      ['billing-0', 'billing-1', 'billing-2', 'billing-3', 'billing-4'],
      ['billing-0', 'billing-2', 'billing-3'],
      ['billing-2', 'billing-3'],
    ]);
    expect(clock.sleepsMs).toEqual([50, 100]);
    const received = (await drain(otherClient, billing)).map(({ id }) => id).toSorted();
    expect(received).toEqual(['billing-0', 'billing-1', 'billing-2', 'billing-3', 'billing-4']);
  });

  it('are told apart in each batch by itself', async () => {
    const billing = await createQueue();
    takeAllBut();
    takeAllBut('0');
    await dispatcherTo({ billing }).dispatch(numberedMessages(11));
    expect(faults.requests.map(({ input }) => sentIds(input.Entries)).slice(1)).toEqual([
      ['billing-10'],
      ['billing-10'],
    ]);
    expect(new Set((await drain(otherClient, billing)).map(({ id }) => id)).size).toBe(11);
  });

  it('fail the dispatch after four rounds, and keep no later batch of a standard queue from being sent', async () => {
    const billing = await createQueue();
    // Batches of a standard queue go side by side.
    const refuseOne = async ({ QueueUrl, Entries }: SendMessageBatchCommandInput) => {
      const bad = sentIds(Entries ?? []).indexOf('billing-1');
      const taken = (Entries ?? []).filter((_entry, index) => index !== bad);
      if (taken.length > 0) await otherClient.send(new SendMessageBatchCommand({ QueueUrl, Entries: taken }));
      return { $metadata: {}, Failed: bad === -1 ? [] : [failedEntry(String(bad))] };
    };
    faults.plan('SendMessageBatch', refuseOne, 5);
    const taken: string[] = [];
    const error = await sagaboxErrorOf(
      dispatcherTo({ billing }).dispatch(numberedMessages(11), { onTaken: (ids) => taken.push(...ids) }),
    );
    expect(error.code).toBe('DispatchFailed');
    expect(error.retryable).toBe(true);
    expect(error.facts).toEqual({ destination: 'billing', failures: ['InternalError: Sorry'] });
    expect(faults.requests.map(({ input }) => input.Entries.length)).toEqual([10, 1, 1, 1, 1]);
    expect(clock.sleepsMs).toEqual([50, 100, 200]);
    const others = numberedMessages(11).map(({ id }) => id);
    expect(taken.toSorted()).toEqual(others.filter((id) => id !== 'billing-1').toSorted());
  });

  it('keep the later batches of a FIFO queue waiting, whose order would be lost', async () => {
    const billing = await createQueue({ FifoQueue: 'true' });
    for (let round = 1; round <= 4; round += 1) takeAllBut('0');
    const messages = numberedMessages(2).map((message) => ({ ...message, messageGroupId: 'one' }));
    const error = await sagaboxErrorOf(dispatcherTo({ billing }).dispatch(messages));
    expect(error.code).toBe('DispatchFailed');
    expect(faults.requests.flatMap(({ input }) => sentIds(input.Entries))).not.toContain('billing-1');
  });

  it('through a fault of the sender are not sent again, while the others are', async () => {
    const billing = await createQueue();
    faults.answer('SendMessageBatch', { Failed: [failedEntry('0'), failedEntry('1', true)] });
    const error = await sagaboxErrorOf(dispatcherTo({ billing }).dispatch(numberedMessages(2)));
    expect(error.code).toBe('DispatchRefused');
    expect(error.retryable).toBe(false);
    expect(error.facts).toEqual({ destination: 'billing', failures: ['InvalidMessageContents: Sorry'] });
    expect(faults.requests.map(({ input }) => sentIds(input.Entries))).toEqual([
      ['billing-0', 'billing-1'],
      ['billing-0'],
    ]);
  });

  it('partly for good and partly for now may be taken later', async () => {
    const billing = await createQueue();
    for (let round = 1; round <= 4; round += 1) {
      faults.answer('SendMessageBatch', { Failed: [failedEntry('0'), failedEntry('1', true)] });
    }
    const error = await sagaboxErrorOf(dispatcherTo({ billing }).dispatch(numberedMessages(2)));
    expect(error.code).toBe('DispatchFailed');
    expect(error.retryable).toBe(true);
  });

  it('are described as far as SQS says why', async () => {
    const billing = await createQueue();
    faults.answer('SendMessageBatch', { Failed: [{ Id: '0', SenderFault: true }] });
    const error = await sagaboxErrorOf(dispatcherTo({ billing }).dispatch(numberedMessages(1)));
    expect(error.facts).toMatchObject({ failures: ['unknown: no message'] });
  });
});
