export type { OutgoingMessage } from '../core/incoming/message.ts';
export type { DeliveryResult } from './delivery-result.ts';
export { sqsEvent, sqsRecord } from './sqs-record.ts';
export { type HandlersTest, testHandlers } from './test-handlers.ts';
export type { TestOptions } from './test-options.ts';
export { type SagaTest, testSaga } from './test-saga.ts';
