export type { RecoveryStrategy } from '../core/outbox/recovery-defaults.ts';
export type { AnyBucket } from './any-bucket.ts';
export type { AnyEventBus } from './any-event-bus.ts';
export type { AnyTable } from './any-table.ts';
export type { AutoscaledCapacity } from './autoscaled-capacity.ts';
export {
  Capacity,
  type OnDemandCapacityOptions,
  type ProvisionedCapacityOptions,
  type TableWorkload,
  type WorkloadCapacityOptions,
} from './capacity.ts';
export type { CapacityAlarmOptions } from './capacity-alarms.ts';
export type {
  CapacitySettings,
  OnDemandCapacity,
  ProvisionedCapacity,
  WorkloadCapacity,
} from './capacity-settings.ts';
export type { ClaimCheckOptions } from './claim-check.ts';
export { ClaimCheckBucket, type ClaimCheckBucketProps } from './claim-check-bucket.ts';
export type {
  EventBusMessageDestination,
  MessageDestination,
  QueueMessageDestination,
  TopicMessageDestination,
} from './destination-registry.ts';
export { MessageEndpoint } from './message-endpoint.ts';
export type {
  BundledEndpointProps,
  ExistingFunctionEndpointProps,
  MessageEndpointCommonProps,
  MessageEndpointProps,
} from './message-endpoint-props.ts';
export { MessageScheduler, type MessageSchedulerProps } from './message-scheduler.ts';
export type { MessagingTableProps } from './messaging-table.ts';
export { OutboxRecovery } from './outbox-recovery.ts';
export type { OutboxRecoveryProps } from './outbox-recovery-props.ts';
export { OutboxTable } from './outbox-table.ts';
export type { PublicationOptions } from './publication-registry.ts';
export { SagaTable } from './saga-table.ts';
export type { PeakTimes, PeakUnits, ScheduledPeak, ScheduledWorkloadPeak } from './scheduled-peak.ts';
export type { EventSubscriptionOptions, TopicSubscriptionOptions } from './subscription-options.ts';
export type { TableRole, TableWorkloadPlan } from './table-plan.ts';
