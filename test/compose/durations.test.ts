import { describe, expect, it } from '@jest/globals';
import {
  type AppendingSaga,
  compensate,
  createHandler,
  createProducer,
  type Duration,
  defineContract,
  defineHandlers,
  defineSaga,
  type HandlerContext,
  isSagaboxError,
  outboxSession,
  recoverability,
  relayOutbox,
  scatterGather,
} from 'sagabox';
import { checkWorkload } from 'sagabox/capacity';
import { openTelemetry } from 'sagabox/opentelemetry';
import { testApp, testHandlers, testSaga } from 'sagabox/testing';
import { z } from 'zod';
import { assertAction } from '../../lib/recoverability/policy.ts';
import { temporalDuration } from '../support/temporal.ts';

const id = z.object({ id: z.string() });
const request = id.extend({ requestId: z.string() });
const payments = defineContract(
  'payments',
  { Pay: id, Ask: request },
  { replies: { Paid: id, Returned: id, Asked: request } },
);

const handlers = defineHandlers({ messages: { Pay: id }, handlers: { Pay() {} } });
const endpoint = { endpoint: 'payments', handles: handlers } as const;

/** Does something with a duration in a handler. */
async function inHandler(handle: (context: HandlerContext) => void): Promise<void> {
  const definition = defineHandlers({
    messages: { Pay: id },
    handlers: { Pay: (_message, context) => handle(context) },
  });
  await testHandlers(definition).deliver('Pay', { id: '7' });
}

/** The same in that of a saga that appends. */
async function inSaga(handle: (context: { saga: AppendingSaga }) => void): Promise<void> {
  const saga = defineSaga({
    name: 'Order',
    messages: { Placed: id, Noted: id },
    correlate: { Placed: (body) => body.id, Noted: (body) => body.id },
    startedBy: ['Placed'],
    appendedBy: ['Noted'],
    initialState: () => ({}),
    handlers: { Placed() {}, Noted: (_message, context) => handle(context) },
  });
  await testSaga(saga, { sagas: { 7: { state: {} } } }).deliver('Noted', { id: '7' });
}

const step = { to: payments, command: 'Pay', body: () => ({ id: '7' }), completedBy: 'Paid' } as const;
const process = (timeout: Duration, other: object = {}) =>
  compensate({
    name: 'Order',
    startedBy: { Placed: id },
    correlate: (body) => body.id,
    steps: { pay: { ...step, timeout, ...other } },
  });
const asked = { name: 'All', endpoint: 'orders', asks: payments, request: 'Ask', reply: 'Asked' } as const;
const retry = (settings: object) => createHandler(handlers, { recoverability: settings });
const lease = (settings: object) =>
  createHandler(handlers, { locking: { mode: 'pessimistic', ...settings } });
const margins = (settings: object) => createHandler(handlers, { timeMargins: settings });
const bucketName = 'bodies';

/** Everything that takes a duration of 2 hours, and what it does with one. */
const places: Readonly<Record<string, (duration: Duration) => unknown>> = {
  'the delay of a message': (delay) => inHandler(({ send }) => send('billing', 'Charge', {}, { delay })),
  'the time of a timeout': (after) =>
    inHandler(({ requestTimeout }) => requestTimeout('Pay', { id: '7' }, { after })),
  'how long a value is kept': (keepFor) => inSaga(({ saga }) => saga.append('a', 1, { keepFor })),
  deduplicationPeriod: (deduplicationPeriod) => createHandler(handlers, { deduplicationPeriod }),
  'deduplicationPeriod of a session': (deduplicationPeriod) =>
    outboxSession({ endpoint: 'api', deduplicationPeriod }),
  leaseDuration: (leaseDuration) => lease({ leaseDuration }),
  leaseAcquisitionTimeout: (leaseAcquisitionTimeout) => lease({ leaseAcquisitionTimeout }),
  minRefreshDelay: (minRefreshDelay) => lease({ minRefreshDelay, maxRefreshDelay: { hours: 3 } }),
  maxRefreshDelay: (maxRefreshDelay) => lease({ maxRefreshDelay }),
  'baseDelay of immediate retries': (baseDelay) => retry({ immediateRetries: { baseDelay } }),
  'maxDelay of immediate retries': (maxDelay) => retry({ immediateRetries: { maxDelay } }),
  'baseDelay of delayed retries': (baseDelay) => retry({ delayedRetries: { baseDelay } }),
  'maxDelay of delayed retries': (maxDelay) => retry({ delayedRetries: { maxDelay } }),
  'the delay of a policy': (delay) => assertAction(recoverability.retryIn(delay)),
  'timeMargins.start': (start) => margins({ start }),
  'timeMargins.abort': (abort) => margins({ abort, start: { hours: 3 } }),
  'timeMargins.giveUp': (giveUp) => margins({ giveUp, abort: { hours: 3 }, start: { hours: 3 } }),
  'claimCheck.retention': (retention) => createHandler(handlers, { claimCheck: { bucketName, retention } }),
  'leaseDuration of an exclusive session': (leaseDuration) =>
    outboxSession({ endpoint: 'api', exclusive: { leaseDuration } }),
  'waitTimeout of an exclusive session': (waitTimeout) =>
    outboxSession({ endpoint: 'api', exclusive: { waitTimeout } }),
  'olderThan of a relay': (olderThan) => relayOutbox({ olderThan }),
  'leaseDuration of a relay': (leaseDuration) => relayOutbox({ leaseDuration }),
  'deduplicationPeriod of a relayed endpoint': (deduplicationPeriod) =>
    relayOutbox({ endpoints: [{ endpoint: 'orders', deduplicationPeriod }] }),
  'the timeout of a step': (timeout) => process(timeout),
  'the timeout of a compensation': (timeout) =>
    process(
      { hours: 1 },
      { compensation: { command: 'Pay', body: step.body, completedBy: 'Returned', timeout } },
    ),
  'the timeout of a scatter-gather': (timeout) => scatterGather({ ...asked, timeout }),
  'the grace of a scatter-gather': (grace) => scatterGather({ ...asked, timeout: { hours: 1 }, grace }),
  flushTimeout: (flushTimeout) => openTelemetry({ flushTimeout }),
  'advance of a test': (duration) => testHandlers(handlers).advance(duration),
  'advance of testApp': (duration) => testApp([endpoint]).advance(duration),
  'the delay of testApp': (delay) => testApp([endpoint]).send('payments', 'Pay', { id: '7' }, { delay }),
};

const wrong: readonly [string, unknown][] = [
  ['a Date', new Date()],
  ['a Map', new Map([['hours', 2]])],
  ['an array', []],
  ['no number', { minutes: undefined }],
  ['an empty object', {}],
  ['a string', 'PT2H'],
  ['a number', 7200],
  ['NaN', { hours: Number.NaN }],
  ['an infinite number', { hours: Number.POSITIVE_INFINITY }],
  ['a unit that is none', { hour: 2 }],
  ['a Temporal.Duration with months', temporalDuration('P2M')],
  ['a Temporal.Duration with years', temporalDuration('P1Y')],
];

const right: readonly [string, unknown][] = [
  ['2 hours', { hours: 2 }],
  ['2 hours, and no minutes', { hours: 2, minutes: undefined }],
  ['a Temporal.Duration', temporalDuration('PT2H')],
];

describe.each(Object.entries(places))('%s', (_place, use) => {
  it.each(wrong)('is refused if it is %s', async (_what, duration) => {
    const error = await Promise.resolve()
      .then(() => use(duration as Duration))
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(isSagaboxError(error) && error.code).toMatch(
      /^(Configuration|InvalidOutgoingMessage|InvalidContribution)$/,
    );
    expect((error as Error).message).toMatch(
      /is no duration such as|names no number|is no unit of time|not a finite number|length depends on the date/,
    );
  });

  it.each(right)('may be %s', async (_what, duration) => {
    await use(duration as Duration);
  });
});

describe('a producer', () => {
  it.each(wrong)('refuses a delay that is %s before it sends', async (_what, delay) => {
    const producer = createProducer({ queueUrl: 'https://queues.test/billing' });
    await expect(producer.send('Charge', {}, { delay: delay as Duration })).rejects.toMatchObject({
      code: 'InvalidOutgoingMessage',
    });
  });
});

describe('a Temporal.Duration', () => {
  it('delays a message by as long as it is', async () => {
    const test = testHandlers(
      defineHandlers({
        messages: { Pay: id },
        handlers: {
          Pay: (_message, { send }) =>
            send('billing', 'Charge', {}, { delay: temporalDuration('PT10M') as Duration }),
        },
      }),
    );
    await test.deliver('Pay', { id: '7' });
    expect(test.outgoing).toMatchObject([{ delaySeconds: 600 }]);
  });
});

it.each(wrong)('a plan refuses a deduplicationPeriod that is %s', (_what, deduplicationPeriod) => {
  const workload = { messagesPerSecond: 1, deduplicationPeriod } as never;
  expect(JSON.stringify(checkWorkload(workload))).toMatch(
    /is no duration|names no number|is no unit|finite number|depends on the date/,
  );
});

describe('what a handler sends with', () => {
  it.each<[string, unknown]>([
    ['a Map of headers', { headers: new Map([['tenant', 'north']]) }],
    ['a list of headers', { headers: [['tenant', 'north']] }],
    ['a Headers object', { headers: new Headers({ tenant: 'north' }) }],
    ['a Map of options', new Map([['delay', { minutes: 5 }]])],
    ['a number as its options', 5],
    ['a Date as its options', new Date()],
  ])('is refused if it is %s, which would be lost', async (_what, options) => {
    const sent = inHandler(({ send }) => send('billing', 'Charge', {}, options as never));
    await expect(sent).rejects.toMatchObject({ code: 'InvalidOutgoingMessage' });
  });
});
