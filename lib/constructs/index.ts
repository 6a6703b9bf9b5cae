export { TableCapacity } from './capacity/table-capacity.ts';
export { ClaimCheckBucket, type ClaimCheckBucketProps } from './claim-check/claim-check-bucket.ts';
export type { MessageDestination } from './destinations/destination-registry.ts';
export type { MessageEndpointAttributes } from './endpoint/imported-endpoint.ts';
export { MessageEndpoint } from './endpoint/message-endpoint.ts';
export type { IMessageEndpoint } from './endpoint/message-endpoint-interface.ts';
export type { BundledEndpointProps, MessageEndpointProps } from './endpoint/message-endpoint-props.ts';
export type { AlarmSettings, AlarmSeverity } from './monitoring/alarm-settings.ts';
export { EndpointMonitoring } from './monitoring/endpoint-monitoring.ts';
export type { EndpointMonitoringProps } from './monitoring/endpoint-monitoring-props.ts';
export { OutboxRelay } from './relay/outbox-relay.ts';
export type { OutboxRelayProps } from './relay/outbox-relay-props.ts';
export { MessageScheduler, type MessageSchedulerProps } from './scheduler/message-scheduler.ts';
export { SendOnlyEndpoint } from './send-only/send-only-endpoint.ts';
export type { SendOnlyEndpointProps } from './send-only/send-only-endpoint-props.ts';
export type {
  EventSubscriptionOptions,
  TopicSubscriptionOptions,
} from './subscriptions/subscription-options.ts';
export type { IMessagingTable, MessagingTableAttributes } from './tables/imported-table.ts';
export type { LeadingKeys } from './tables/leading-keys.ts';
export { MessagingTable } from './tables/messaging-table.ts';
export type { MessagingTableProps } from './tables/messaging-table-props.ts';
export { OutboxTable } from './tables/outbox-table.ts';
export { SagaTable } from './tables/saga-table.ts';
