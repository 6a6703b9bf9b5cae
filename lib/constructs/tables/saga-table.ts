import type { Construct } from 'constructs';
import type { MessagingTableProps } from './messaging-table-props.ts';
import { TableBase } from './table-base.ts';

/**
 * The table that holds the state of sagas, one item a saga. Several endpoints may share one.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { TableCapacity, SagaTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const sagaTable = new SagaTable(stack, 'Sagas', {
 *   capacity: TableCapacity.provisioned({
 *     read: { minCapacity: 5, maxCapacity: 100 },
 *     write: { minCapacity: 10, maxCapacity: 400, targetUtilizationPercent: 60 },
 *   }),
 *   capacityAlarms: true,
 * });
 * ```
 */
export class SagaTable extends TableBase {
  constructor(scope: Construct, id: string, props: MessagingTableProps = {}) {
    super(scope, id, props, 'saga');
  }
}
