export type { OutgoingMessage } from '../messages/message.ts';
export type { AppEndpoint, AppSession, TestAppOptions } from './app/app-options.ts';
export type {
  AppEndpointView,
  AppSendOptions,
  FailureOptions,
  MessageFilter,
  TestApp,
} from './app/app-types.ts';
export type { AppDelivery } from './app/endpoint-in-app.ts';
export { testApp } from './app/test-app.ts';
export type { DeliveryResult } from './delivery-result.ts';
export { checkSagaStore, type SagaStoreCheckOptions } from './saga-store/check-saga-store.ts';
export type { SessionTestOptions } from './session/session-options.ts';
export type { SessionResult } from './session/session-runner.ts';
export { type SessionTest, testSession } from './session/test-session.ts';
export { type SQSEvent, type SQSRecord, sqsEvent, sqsRecord } from './sqs-record.ts';
export type { TestTable, UnevaluatedCondition } from './tables/test-tables.ts';
export { type HandlersTest, type SagaTest, testHandlers, testSaga } from './test-kit.ts';
export type { SagaTestOptions, StoredSagaState, TestOptions } from './test-options.ts';
