export { TableCapacity } from './capacity/table-capacity.ts';
export { ClaimCheckBucket, type ClaimCheckBucketProps } from './claim-check/claim-check-bucket.ts';
export type { MessageDestination } from './destinations/destination-registry.ts';
export { MessageEndpoint } from './endpoint/message-endpoint.ts';
export type { BundledEndpointProps, MessageEndpointProps } from './endpoint/message-endpoint-props.ts';
export { OutboxRelay } from './relay/outbox-relay.ts';
export type { OutboxRelayProps } from './relay/outbox-relay-props.ts';
export { MessageScheduler, type MessageSchedulerProps } from './scheduler/message-scheduler.ts';
export type {
  EventSubscriptionOptions,
  TopicSubscriptionOptions,
} from './subscriptions/subscription-options.ts';
export type { MessagingTableProps } from './tables/messaging-table.ts';
export { OutboxTable } from './tables/outbox-table.ts';
export { SagaTable } from './tables/saga-table.ts';
