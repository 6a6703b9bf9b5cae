export type { OutgoingMessage } from '../core/incoming/message.ts';
export type { DeliveryResult } from './delivery-result.ts';
export { sqsEvent, sqsRecord } from './sqs-record.ts';
export { type HandlersTest, type SagaTest, testHandlers, testSaga } from './test-kit.ts';
export type { TestOptions } from './test-options.ts';
