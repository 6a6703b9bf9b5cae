// Declarations of definitions name it, also where only sagabox finds the package.
export type { StandardSchemaV1 } from '@standard-schema/spec';
export { defaults as optionDefaults } from './compose/defaults.ts';
export { type EmbeddedOutboxOptions, embeddedOutbox } from './compose/embedded-outbox/embedded-outbox.ts';
export type { SqsBatchHandler } from './compose/handler/batch-handler.ts';
export { createHandler } from './compose/handler/create-handler.ts';
export { sagaOutbox } from './compose/handler/saga-outbox.ts';
export { sqsBatch } from './compose/handler/sqs-batch.ts';
export type { CreateHandlerOptions, SagaOutboxOptions, SqsBatchOptions } from './compose/options.ts';
export { createProducer } from './compose/producer/create-producer.ts';
export type {
  ProduceOptions,
  Producer,
  ProducerMessage,
  ProducerOptions,
} from './compose/producer/producer-options.ts';
export type { RelayedEndpointOptions, RelayOutboxOptions } from './compose/relay/relay-options.ts';
export { type RelayHandler, relayOutbox } from './compose/relay/relay-outbox.ts';
export type { WatchOutboxOptions } from './compose/relay/watch-options.ts';
export { type WatchHandler, watchOutbox } from './compose/relay/watch-outbox.ts';
export { outboxSession } from './compose/session/outbox-session.ts';
export { type RunOutboxSessionOptions, runOutboxSession } from './compose/session/run-outbox-session.ts';
export type { OutboxSessionOptions } from './compose/session/session-options.ts';
export {
  type StreamBatchHandler,
  type StreamBatchResponse,
  streamBatch,
} from './compose/session/stream-batch.ts';
export { itemSize } from './dynamodb/item-size.ts';
export type { SagaIdentity } from './dynamodb/keys.ts';
export { defineHandlers, type MessageHandlers } from './handlers/define-handlers.ts';
export type { HandlerContext } from './handlers/handler-context.ts';
export type { Duration } from './kernel/duration.ts';
export { type ErrorCode, isSagaboxError, SagaboxError, UnrecoverableError } from './kernel/errors/errors.ts';
export type { Contract, SenderContracts } from './messages/contracts/contract.ts';
export { type ContractOptions, defineContract } from './messages/contracts/define-contract.ts';
export {
  type ContractJsonSchemas,
  contractJsonSchemas,
} from './messages/contracts/json-schema.ts';
export type { ListedByHandlers, ListedBySaga } from './messages/contracts/listed-contracts.ts';
export type { FailureFacts } from './messages/failures/failure-facts.ts';
export { headerNames } from './messages/headers.ts';
export type { MessageLogger } from './messages/logger.ts';
export type { IncomingMessage } from './messages/message.ts';
export type { FlowEvent } from './observe/flow-event.ts';
export type { MessageReport } from './observe/hooks.ts';
export { metricNames } from './observe/metrics/metric-names.ts';
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
export {
  type MessageFailure,
  type RecoverabilityPolicy,
  recoverability,
} from './recoverability/policy.ts';
export type { RelayResult, RelayRunResult } from './relay/relay-result.ts';
export type { AppendOptions } from './saga/contribution.ts';
export type {
  CustomSagaChange,
  CustomSagaStore,
  CustomStoredSaga,
  SagaDetails,
} from './saga/custom-store/custom-saga-store.dynamodb.ts';
export { defineSaga, type SagaType } from './saga/definition/define-saga.ts';
export { cosmosLocking, type Locking } from './saga/definition/locking.ts';
export type { EmbeddedOutbox } from './saga/definition/outbox-form.ts';
export type { SagaHandlerContext } from './saga/definition/saga-handler-context.ts';
export type { Collected, CollectOptions } from './saga/draft-contributions.ts';
export type { StateMapper } from './saga/item/mapper.dynamodb.ts';
export type { AppendingSaga, CollectingSaga, Saga } from './saga/saga-state.ts';
export type { StateMigrations } from './saga/state-versions.ts';
export type { AsJson } from './session/as-json.ts';
export { idempotencyKeyHeader } from './session/idempotency-key.ts';
export type { OutboxSessionContext, OutboxSessionScope } from './session/session-context.ts';
