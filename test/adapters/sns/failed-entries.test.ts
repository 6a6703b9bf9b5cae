import type { PublishBatchCommandInput, PublishBatchRequestEntry } from '@aws-sdk/client-sns';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SnsTransport } from '../../../lib/adapters/sns/transport.ts';
import { parseDestinations } from '../../../lib/core/outgoing/destination.ts';
import { snsClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { createTopic } from '../../support/event-resources.ts';
import { awsError } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages } from '../../support/outgoing-messages.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(snsClient());

let clock: MovingClock;
beforeEach(() => {
  clock = new MovingClock();
});

function transportTo(topicArn: string): SnsTransport {
  const destinations = parseDestinations({ events: topicArn }, 'test');
  return new SnsTransport({ destinations, clock, random: () => 0.5, loadClient: async () => client });
}

const passing = (Id: string) => ({ Id, SenderFault: false, Code: 'InternalError', Message: 'Sorry' });
const final = (Id: string) => ({ Id, SenderFault: true, Code: 'InvalidParameter', Message: 'Too long' });

const idOf = ({ MessageAttributes }: PublishBatchRequestEntry) =>
  MessageAttributes?.['Sagabox.MessageId']?.StringValue;

/** The ids of the messages of each call. */
const sentIds = () => faults.requests.map(({ input }) => input.PublishBatchRequestEntries.map(idOf));

describe('entries that SNS does not take', () => {
  it('are sent again, they alone and in their order, after growing delays', async () => {
    const transport = transportTo(await createTopic());
    faults.answer('PublishBatch', { Failed: [passing('0'), passing('2'), passing('3')] });
    faults.answer('PublishBatch', { Failed: [passing('1'), passing('2')] });
    await transport.dispatch(numberedMessages(5, 'events'));
    expect(sentIds()).toEqual([
      ['events-0', 'events-1', 'events-2', 'events-3', 'events-4'],
      ['events-0', 'events-2', 'events-3'],
      ['events-2', 'events-3'],
    ]);
    expect(clock.sleepsMs).toEqual([50, 100]);
  });

  it('fail the dispatch after four rounds, and keep no later batch from being sent', async () => {
    const transport = transportTo(await createTopic());
    // Batches of a standard topic go side by side.
    const refuseOne = async ({ PublishBatchRequestEntries: entries }: PublishBatchCommandInput) => {
      const bad = entries?.findIndex((entry) => idOf(entry) === 'events-1') ?? -1;
      return { $metadata: {}, Failed: bad === -1 ? [] : [passing(String(bad))] };
    };
    faults.plan('PublishBatch', refuseOne, 5);
    const taken: string[] = [];
    const onTaken = (ids: readonly string[]) => void taken.push(...ids);
    const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(11, 'events'), { onTaken }));
    expect(taken).toHaveLength(10);
    expect(taken).not.toContain('events-1');
    expect(error).toMatchObject({ code: 'DispatchFailed', retryable: true });
    expect(error.facts).toEqual({ destination: 'events', failures: ['InternalError: Sorry'] });
    expect(sentIds().slice(1)).toEqual([['events-10'], ['events-1'], ['events-1'], ['events-1']]);
    expect(clock.sleepsMs).toEqual([50, 100, 200]);
  });

  it('keep the later batches of a FIFO topic waiting, whose order would be lost', async () => {
    const transport = transportTo(await createTopic({ FifoTopic: 'true' }));
    faults.answer('PublishBatch', { Failed: [final('0')] });
    const messages = numberedMessages(2, 'events').map((message) => ({ ...message, messageGroupId: 'one' }));
    expect((await sagaboxErrorOf(transport.dispatch(messages))).code).toBe('DispatchRefused');
    expect(sentIds()).toEqual([['events-0']]);
  });

  it('through a fault of the sender are not sent again, while the others are', async () => {
    const transport = transportTo(await createTopic());
    faults.answer('PublishBatch', { Failed: [passing('0'), final('1')] });
    const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(2, 'events')));
    expect(error).toMatchObject({ code: 'DispatchRefused', retryable: false });
    expect(error.facts).toEqual({ destination: 'events', failures: ['InvalidParameter: Too long'] });
    expect(sentIds()).toEqual([['events-0', 'events-1'], ['events-0']]);
  });

  it('partly for good and partly for now may be taken later', async () => {
    const transport = transportTo(await createTopic());
    faults.answer('PublishBatch', { Failed: [passing('0'), final('1')] });
    for (let round = 2; round <= 4; round += 1) faults.answer('PublishBatch', { Failed: [passing('0')] });
    const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(2, 'events')));
    expect(error.code).toBe('DispatchFailed');
    expect(error.facts).toMatchObject({ failures: ['InvalidParameter: Too long', 'InternalError: Sorry'] });
  });

  it('are described as far as SNS says why', async () => {
    const transport = transportTo(await createTopic());
    faults.answer('PublishBatch', { Failed: [{ Id: '0', SenderFault: true }] });
    const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(1, 'events')));
    expect(error.facts).toMatchObject({ failures: ['unknown: no message'] });
  });

  it('are not sent again when the call of their next round fails', async () => {
    const transport = transportTo(await createTopic());
    faults.answer('PublishBatch', { Failed: [passing('0')] });
    faults.fail('PublishBatch', awsError('ThrottledException'));
    const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(2, 'events')));
    expect(error.code).toBe('DispatchFailed');
    expect(faults.operations).toHaveLength(2);
  });
});
