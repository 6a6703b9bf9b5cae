import type { Construct } from 'constructs';
import type { MessagingTableProps } from './messaging-table-props.ts';
import { TableBase } from './table-base.ts';

/**
 * One table for the sagas and the outbox of endpoints, whose keys never meet: give it as their `sagaTable`
 * and as their `outboxTable`. Its capacity carries both, and a restore brings both back to one second.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { MessageEndpoint, MessagingTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const table = new MessagingTable(stack, 'Messages', { relayStream: true });
 * new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', sagaTable: table, outboxTable: table });
 * ```
 */
export class MessagingTable extends TableBase {
  constructor(scope: Construct, id: string, props: MessagingTableProps = {}) {
    super(scope, id, props, 'shared');
  }
}
