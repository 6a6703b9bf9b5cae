export type { AnyTable } from './any-table.ts';
export type { MessageDestination } from './destination-registry.ts';
export { MessageEndpoint } from './message-endpoint.ts';
export type {
  BundledEndpointProps,
  ExistingFunctionEndpointProps,
  MessageEndpointCommonProps,
  MessageEndpointProps,
} from './message-endpoint-props.ts';
export type { MessagingTableProps } from './messaging-table.ts';
export { OutboxTable } from './outbox-table.ts';
export { SagaTable } from './saga-table.ts';
export type {
  AutoscaledBilling,
  AutoscaledCapacity,
  OnDemandBilling,
  TableBilling,
} from './table-billing.ts';
