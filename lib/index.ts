// Declarations of definitions name it, also where only sagabox finds the package.
export type { StandardSchemaV1 } from '@standard-schema/spec';
export type {
  CustomSagaChange,
  CustomSagaStore,
  CustomStoredSaga,
  SagaDetails,
} from './adapters/dynamodb/custom-store/custom-saga-store.ts';
export type { StateMapper } from './adapters/dynamodb/saga/mapper.ts';
export type { Contract, SenderContracts } from './core/contracts/contract.ts';
export { type ContractOptions, defineContract } from './core/contracts/define-contract.ts';
export {
  type ContractJsonSchemas,
  contractJsonSchemas,
} from './core/contracts/json-schema.ts';
export type { ListedByHandlers, ListedBySaga } from './core/contracts/listed-contracts.ts';
export type { Duration } from './core/duration.ts';
export { type ErrorCode, isSagaboxError, SagaboxError, UnrecoverableError } from './core/failures/errors.ts';
export type { FailureFacts } from './core/failures/failure-facts.ts';
export type { FlowEvent } from './core/failures/flow-event.ts';
export { defineHandlers, type MessageHandlers } from './core/handlers/define-handlers.ts';
export type { HandlerContext } from './core/handlers/handler-context.ts';
export { headerNames } from './core/incoming/headers.ts';
export type { IncomingMessage } from './core/incoming/message.ts';
export type { MessageLogger } from './core/logs/logger.ts';
export { metricNames } from './core/metrics/metric-names.ts';
export type { AppendOptions } from './core/saga/contribution.ts';
export { defineSaga, type SagaType } from './core/saga/define-saga.ts';
export type { Collected, CollectOptions } from './core/saga/draft-contributions.ts';
export { cosmosLocking, type Locking } from './core/saga/locking.ts';
export type { EmbeddedOutbox } from './core/saga/outbox-form.ts';
export type { SagaHandlerContext } from './core/saga/saga-handler-context.ts';
export type { AppendingSaga, CollectingSaga, Saga } from './core/saga/saga-state.ts';
export type { StateMigrations } from './core/saga/state-versions.ts';
export type { AsJson } from './core/session/as-json.ts';
export { idempotencyKeyHeader } from './core/session/idempotency-key.ts';
export type { OutboxSessionContext, OutboxSessionScope } from './core/session/session-context.ts';
export { itemSize } from './core/storage/item-size.ts';
export type { SagaIdentity } from './core/storage/keys.ts';
export type { MessageReport } from './flow/hooks.ts';
export {
  type MessageFailure,
  type RecoverabilityPolicy,
  recoverability,
} from './flow/recoverability/policy.ts';
export type { RelayResult, RelayRunResult } from './flow/relay/relay-result.ts';
export type { SqsBatchHandler } from './middleware/batch-handler.ts';
export { createHandler } from './middleware/create-handler.ts';
export { defaults as optionDefaults } from './middleware/defaults.ts';
export { type EmbeddedOutboxOptions, embeddedOutbox } from './middleware/embedded-outbox/embedded-outbox.ts';
export type { CreateHandlerOptions, SagaOutboxOptions, SqsBatchOptions } from './middleware/options.ts';
export { createProducer } from './middleware/producer/create-producer.ts';
export type {
  ProduceOptions,
  Producer,
  ProducerMessage,
  ProducerOptions,
} from './middleware/producer/producer-options.ts';
export type { RelayedEndpointOptions, RelayOutboxOptions } from './middleware/relay/relay-options.ts';
export { type RelayHandler, relayOutbox } from './middleware/relay/relay-outbox.ts';
export type { WatchOutboxOptions } from './middleware/relay/watch-options.ts';
export { type WatchHandler, watchOutbox } from './middleware/relay/watch-outbox.ts';
export { sagaOutbox } from './middleware/saga-outbox.ts';
export { outboxSession } from './middleware/session/outbox-session.ts';
export { type RunOutboxSessionOptions, runOutboxSession } from './middleware/session/run-outbox-session.ts';
export type { OutboxSessionOptions } from './middleware/session/session-options.ts';
export {
  type StreamBatchHandler,
  type StreamBatchResponse,
  streamBatch,
} from './middleware/session/stream-batch.ts';
export { sqsBatch } from './middleware/sqs-batch.ts';
export { compensate } from './patterns/compensation/compensate.ts';
export type {
  CompensatedFacts,
  CompensationDefinition,
  CompensationState,
  CompensationStep,
  ProcessEndContext,
  ProcessFacts,
} from './patterns/compensation/definition.ts';
export type {
  ProcessFailure,
  ProcessStatus,
  RemainingStep,
  StepState,
} from './patterns/compensation/process.ts';
export type { GatheredReply, ScatterGatherDefinition } from './patterns/scatter-gather/definition.ts';
export type { ScatterGatherResult, ScatterGatherStart } from './patterns/scatter-gather/messages.ts';
export type { NodeState as ScatterGatherState } from './patterns/scatter-gather/node.ts';
export { type ScatterGather, scatterGather } from './patterns/scatter-gather/scatter-gather.ts';
