import { expect, it } from '@jest/globals';
import { createProducer, defineHandlers, outboxSession, streamBatch } from 'sagabox';
import { checkWorkload, planMessage, planWorkload } from 'sagabox/capacity';
import { startDynamoDB, startEventEmulator, startSqsEmulator } from 'sagabox/local';
import { openTelemetry } from 'sagabox/opentelemetry';
import { sqsRecord, testApp, testHandlers, testSession } from 'sagabox/testing';
import { object } from 'valibot';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { errorOf } from '../support/error-of.ts';

const handlers = defineHandlers({ messages: { Paid: object({}) }, handlers: { Paid() {} } });
const app = () => testApp([{ endpoint: 'orders', handles: handlers }]);

/** Everything else that takes options, with one that it does not have. */
const calls: Readonly<Record<string, [option: string, call: (options: never) => unknown]>> = {
  testHandlers: ['endpiont', (options) => testHandlers(handlers, options)],
  'testHandlers: deliver': ['receivecount', (options) => testHandlers(handlers).deliver('Paid', {}, options)],
  testSession: ['locking', (options) => testSession(() => {}, options)],
  testApp: ['maxDelivery', (options) => testApp([{ endpoint: 'orders', handles: handlers }], options)],
  'an endpoint of testApp': ['sagaTable', (options) => testApp([{ ...endpointOf, ...(options as object) }])],
  'testApp: send': ['delaySeconds', (options) => app().send('orders', 'Paid', {}, options)],
  'testApp: publish': ['header', (options) => app().publish('prices', 'Paid', {}, options)],
  'testApp: fail': ['time', (options) => app().fail('orders', 'Paid', options)],
  'testApp: redeliver': ['messageId', (options) => app().redeliver('orders', options)],
  sqsRecord: ['messageType', (options) => sqsRecord(options)],
  startDynamoDB: ['timeout', (options) => startDynamoDB(options)],
  startSqsEmulator: ['port', (options) => startSqsEmulator(options)],
  startEventEmulator: ['port', (options) => startEventEmulator(options)],
  createProducer: ['queueURL', (options) => createProducer(options)],
  'Producer.send': [
    'delaySeconds',
    (options) => createProducer({ queueUrl: 'https://queues.test/a' }).send('Paid', {}, options),
  ],
  planMessage: ['shareTable', (options) => planMessage({}, options)],
  planWorkload: ['price', (options) => planWorkload({ message: {}, messagesPerSecond: 1 }, options)],
  checkWorkload: ['region', (options) => checkWorkload({}, options)],
  openTelemetry: ['flush', (options) => openTelemetry(options)],
  outboxSession: ['locking', (options) => outboxSession(options)],
  streamBatch: ['parse', (options) => streamBatch(() => {}, options)],
};
const endpointOf = { endpoint: 'orders', handles: handlers };

it.each(Object.entries(calls))('%s refuses an option that it does not have', async (_of, [option, call]) => {
  const error = await errorOf(Promise.resolve().then(() => call({ [option]: 5 } as never)));
  expect(error).toBeInstanceOf(SagaboxError);
  expect((error as SagaboxError).code).toMatch(/^(Configuration|InvalidOutgoingMessage)$/);
  expect((error as SagaboxError).message).toContain(option);
});
