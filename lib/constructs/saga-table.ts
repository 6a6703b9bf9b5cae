import { MessagingTable } from './messaging-table.ts';

/**
 * The table that holds the state of sagas, one item a saga. Several endpoints may share one, and it may also be an
 * endpoint's `outboxTable`: their keys never meet.
 *
 * @throws SagaboxError `Configuration` when the billing contradicts itself
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { SagaTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const sagaTable = new SagaTable(stack, 'Sagas', {
 *   billing: {
 *     mode: 'autoscaled',
 *     read: { minUnits: 5, maxUnits: 100 },
 *     write: { minUnits: 10, maxUnits: 400, targetUtilizationPercent: 60 },
 *   },
 * });
 * ```
 */
export class SagaTable extends MessagingTable {}
