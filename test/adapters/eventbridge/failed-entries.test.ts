import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventBridgeTransport } from '../../../lib/adapters/eventbridge/transport.ts';
import { parseDestinations } from '../../../lib/core/outgoing/destination.ts';
import { eventBridgeClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { createEventBus } from '../../support/event-resources.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages, outgoingMessage } from '../../support/outgoing-messages.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(eventBridgeClient());

let clock: MovingClock;
beforeEach(() => {
  clock = new MovingClock();
});

async function openTransport(): Promise<EventBridgeTransport> {
  const destinations = parseDestinations({ events: await createEventBus() }, 'test');
  const loadClient = async () => client;
  return new EventBridgeTransport({ endpoint: 'orders', destinations, clock, random: () => 0.5, loadClient });
}

/** One result for each entry: taken, or its error. */
function answer(...codes: readonly (string | undefined)[]): void {
  const results = codes.map((code) =>
    code === undefined ? { EventId: 'event' } : { ErrorCode: code, ErrorMessage: 'Sorry' },
  );
  faults.answer('PutEvents', { FailedEntryCount: codes.filter(Boolean).length, Entries: results });
}

const sentIds = () =>
  faults.requests.map(({ input }) =>
    input.Entries.map(
      ({ Detail }: PutEventsRequestEntry) => JSON.parse(Detail ?? '').sagabox['Sagabox.MessageId'],
    ),
  );

describe('entries that EventBridge does not take', () => {
  it('are sent again, they alone, after growing delays', async () => {
    const transport = await openTransport();
    answer('ThrottlingException', undefined, 'InternalFailure');
    answer(undefined, 'ServiceUnavailable');
    await transport.dispatch(numberedMessages(3, 'events'));
    expect(sentIds()).toEqual([['events-0', 'events-1', 'events-2'], ['events-0', 'events-2'], ['events-2']]);
    expect(clock.sleepsMs).toEqual([50, 100]);
  });

  it.each(['ThrottlingException', 'InternalFailure', 'InternalException', 'ServiceUnavailable'])(
    'by %s fail the dispatch after four rounds',
    async (code) => {
      const transport = await openTransport();
      for (let round = 1; round <= 4; round += 1) answer(code);
      const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(1, 'events')));
      expect(error).toMatchObject({ code: 'DispatchFailed', retryable: true });
      expect(error.facts).toEqual({ destination: 'events', failures: [`${code}: Sorry`] });
      expect(faults.operations).toHaveLength(4);
    },
  );

  it.each(['AccessDeniedException', 'InvalidArgument', 'NotAuthorizedForSourceException', 'SomethingNew'])(
    'by %s are not sent again, while the others are',
    async (code) => {
      const transport = await openTransport();
      answer(code, 'ThrottlingException');
      const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(2, 'events')));
      expect(error).toMatchObject({ code: 'DispatchRefused', retryable: false });
      expect(error.facts).toEqual({ destination: 'events', failures: [`${code}: Sorry`] });
      expect(sentIds()).toEqual([['events-0', 'events-1'], ['events-1']]);
    },
  );

  it('keep no later batch from being sent', async () => {
    const transport = await openTransport();
    answer('InvalidArgument', ...Array.from({ length: 9 }, () => undefined));
    const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(11, 'events')));
    expect(error.code).toBe('DispatchRefused');
    expect(sentIds().at(-1)).toEqual(['events-10']);
  });

  it('are told by the engine itself for an event without a type', async () => {
    const transport = await openTransport();
    const error = await sagaboxErrorOf(
      transport.dispatch([outgoingMessage({ destination: 'events', type: '' })]),
    );
    expect(error.code).toBe('DispatchRefused');
    expect(error.facts).toMatchObject({ failures: [expect.stringContaining('InvalidArgument')] });
  });
});
