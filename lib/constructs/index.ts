export type { RelayStrategy } from '../core/outbox/relay-defaults.ts';
export type { AutoscaledCapacity } from './capacity/autoscaled-capacity.ts';
export {
  Capacity,
  type OnDemandCapacityOptions,
  type ProvisionedCapacityOptions,
  type TableWorkload,
  type WorkloadCapacityOptions,
} from './capacity/capacity.ts';
export type { CapacityAlarmOptions } from './capacity/capacity-alarms.ts';
export type {
  CapacitySettings,
  OnDemandCapacity,
  ProvisionedCapacity,
  WorkloadCapacity,
} from './capacity/capacity-settings.ts';
export type {
  PeakTimes,
  PeakUnits,
  ScheduledPeak,
  ScheduledWorkloadPeak,
} from './capacity/scheduled-peak.ts';
export type { TableRole, TableWorkloadPlan } from './capacity/table-plan.ts';
export type { AnyBucket } from './claim-check/any-bucket.ts';
export type { ClaimCheckOptions } from './claim-check/claim-check.ts';
export { ClaimCheckBucket, type ClaimCheckBucketProps } from './claim-check/claim-check-bucket.ts';
export type { AnyEventBus } from './destinations/any-event-bus.ts';
export type {
  EventBusMessageDestination,
  MessageDestination,
  QueueMessageDestination,
  TopicMessageDestination,
} from './destinations/destination-registry.ts';
export type { PublicationOptions } from './destinations/publication-registry.ts';
export { MessageEndpoint } from './endpoint/message-endpoint.ts';
export type {
  BundledEndpointProps,
  ExistingFunctionEndpointProps,
  MessageEndpointCommonProps,
  MessageEndpointProps,
} from './endpoint/message-endpoint-props.ts';
export { OutboxRelay } from './relay/outbox-relay.ts';
export type { OutboxRelayProps } from './relay/outbox-relay-props.ts';
export { MessageScheduler, type MessageSchedulerProps } from './scheduler/message-scheduler.ts';
export type {
  EventSubscriptionOptions,
  TopicSubscriptionOptions,
} from './subscriptions/subscription-options.ts';
export type { AnyTable } from './tables/any-table.ts';
export type { MessagingTableProps } from './tables/messaging-table.ts';
export { OutboxTable } from './tables/outbox-table.ts';
export { SagaTable } from './tables/saga-table.ts';
