import { expect, it } from '@jest/globals';
import middy from '@middy/core';
import { defineSaga, type MessageReport, SagaboxError, sagaOutbox, sqsBatch } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { object, string } from 'valibot';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { outboxOfForm } from '../support/outbox-of-form.ts';

type Wrapped = ((event: unknown, context: unknown) => Promise<unknown>) & {
  use(middleware: unknown): Wrapped;
};
const wrap = middy as unknown as (handler: unknown) => Wrapped;

const destinations = {
  billing: 'https://queues.test/billing',
  ordered: 'https://sqs.us-east-1.amazonaws.com/123456789012/ordered.fifo',
};

interface Part {
  readonly name: string;
  readonly endpoint: string;
  readonly destination: string;
  readonly outbox?: 'embedded';
  readonly ports: object;
}

const reports: MessageReport[] = [];

/** Handles each message by two sagas, one after the other, each behind a `sagaOutbox` of its own. */
function handlerOf(...parts: readonly Part[]) {
  const handlers = parts.map(({ name, endpoint, destination, outbox, ports }) => {
    const saga = defineSaga({
      name,
      ...(outbox && { outbox: outboxOfForm(outbox) }),
      messages: { Bought: object({ id: string() }) },
      correlate: { Bought: (body) => body.id },
      startedBy: ['Bought'],
      initialState: (): { got: string[] } => ({ got: [] }),
      handlers: {
        Bought: async ({ id, body }, { saga: { state }, send }) => {
          // The second message waits behind the first one by then.
          if (id === '1') for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
          state.got.push(id);
          send(destination, `${name} of ${id}`, body);
        },
      },
    });
    return wrap(saga.handler).use(
      sagaOutbox({
        endpoint,
        destinations,
        logger: silentLogger,
        ports: ports as never,
        saga,
        onMessage: (report) => void reports.push(report),
      }),
    );
  });
  const both = async (message: unknown, context: unknown) => {
    for (const handle of handlers) await handle(message, context);
  };
  const handler = sqsBatch(both as never, {
    logger: silentLogger,
    throwOnFullBatchFailure: false,
    recoverability: { immediateRetries: { baseDelay: { milliseconds: 1 }, maxDelay: { milliseconds: 1 } } },
  });
  return async (...ids: readonly string[]) => {
    reports.length = 0;
    const Records = ids.map((id) => sqsRecord({ type: 'Bought', body: { id: 'x' }, id, sqsMessageId: id }));
    const { batchItemFailures } = await handler({ Records });
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
}

it.each([['records'], ['embedded outboxes']])(
  'of one endpoint, with %s, is refused: the endpoint handles each message once',
  async (form) => {
    const { ports, dispatcher } = memoryPorts('shop');
    const shop = {
      endpoint: 'shop',
      ports,
      ...(form === 'embedded outboxes' && { outbox: 'embedded' as const }),
    };
    const handle = handlerOf(
      { ...shop, name: 'Customer', destination: 'billing' },
      { ...shop, name: 'Order', destination: 'ordered' },
    );

    expect(await handle('m1')).toEqual(['m1']);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled']);
    expect(dispatcher.sent.map(({ type }) => type)).toEqual(['Customer of m1']);
  },
);

it('of two endpoints, which share a commit, what the second one sends goes out in the order of the messages', async () => {
  const sent: string[] = [];
  let failures = 1;
  const withPorts = (name: string) => {
    const { ports } = memoryPorts(name);
    const dispatcher: typeof ports.dispatcher = Object.create(ports.dispatcher);
    dispatcher.dispatch = async (operations) => {
      await new Promise(setImmediate);
      const types = operations.flatMap((operation) => ('type' in operation ? operation.type : []));
      if (types.includes('Second of 1') && failures > 0) {
        failures -= 1;
        throw new SagaboxError('DispatchFailed', { destination: 'ordered', failures: [] });
      }
      sent.push(...types);
    };
    return { name, endpoint: name, destination: 'ordered', ports: { ...ports, dispatcher } };
  };
  const handle = handlerOf(withPorts('First'), withPorts('Second'));

  expect(await handle('1', '2')).toEqual([]);
  expect(sent).toEqual(['First of 1', 'First of 2', 'Second of 1', 'Second of 2']);
});
