export type { StateMapper } from './adapters/dynamodb/saga/mapper.ts';
export type { TableConfiguration } from './adapters/dynamodb/table.ts';
export type { SdkClient } from './adapters/shared/sdk-client.ts';
export type { Duration } from './core/duration.ts';
export { environmentVariables } from './core/environment-variables.ts';
export { type ErrorCode, type ErrorFacts, SagaboxError, UnrecoverableError } from './core/failures/errors.ts';
export type { FailureFacts } from './core/failures/failure-facts.ts';
export { type FlowEvent, type MessageMetrics, metricNames } from './core/failures/flow-event.ts';
export {
  defineHandlers,
  type HandlersDefinition,
  type MessageHandlers,
} from './core/handlers/define-handlers.ts';
export type { HandlerContext, MessageLogger, SagaHandlerContext } from './core/handlers/handler-context.ts';
export type { BodyOf, MessageOf, MessageSchemas } from './core/handlers/schema.ts';
export type { ParsedMessage, ParseMessage } from './core/incoming/envelope.ts';
export { headerNames } from './core/incoming/headers.ts';
export type { IncomingMessage } from './core/incoming/message.ts';
export type { MessageFacts } from './core/incoming/message-logger.ts';
export type { RelayStrategy } from './core/outbox/relay-defaults.ts';
export type { DestinationAddress, SizedAddress } from './core/outgoing/destination.ts';
export type { MessageFormat } from './core/outgoing/sending.ts';
export type { PublishOptions, SendOptions } from './core/outgoing/unit-of-work-context.ts';
export {
  type CorrelatedMessage,
  defineSaga,
  type SagaDefinition,
  type SagaRules,
  type SagaType,
} from './core/saga/define-saga.ts';
export {
  cosmosLocking,
  type Locking,
  type OptimisticLocking,
  type PessimisticLocking,
} from './core/saga/locking.ts';
export type { Saga } from './core/saga/saga-state.ts';
export type { CapacityUnits } from './core/storage/capacity-meter.ts';
export { itemSize } from './core/storage/item-size.ts';
export type { SagaIdentity } from './core/storage/keys.ts';
export type { MessageReport } from './flow/attempt.ts';
export type { TimeMargins } from './flow/batch/invocation-time.ts';
export {
  type DelayedRetries,
  type ImmediateRetries,
  type MessageFailure,
  type RecoverabilityAction,
  type RecoverabilityPolicy,
  recoverability,
} from './flow/recoverability/recoverability.ts';
export type { RelayFailure, RelayResult } from './flow/relay/relay-result.ts';
export { type CreateHandlerOptions, createHandler, type Definition } from './middleware/create-handler.ts';
export { defaults } from './middleware/defaults.ts';
export type {
  ClaimCheckConfiguration,
  RecoverabilityOptions,
  SagaOutboxOptions,
  SchedulerConfiguration,
  SqsBatchOptions,
} from './middleware/options.ts';
export type { RelayOutboxOptions } from './middleware/relay/relay-options.ts';
export { type RelayHandler, relayOutbox } from './middleware/relay/relay-outbox.ts';
export { sagaOutbox } from './middleware/saga-outbox.ts';
export { type MessageHandler, type SqsBatchHandler, sqsBatch } from './middleware/sqs-batch.ts';
