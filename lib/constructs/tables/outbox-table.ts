import type { Construct } from 'constructs';
import type { MessagingTableProps } from './messaging-table-props.ts';
import { TableBase } from './table-base.ts';

/**
 * The table that remembers each handled message, and its outgoing messages until they are dispatched. Records
 * expire by themselves once their deduplication period is over. Several endpoints may share one.
 *
 * @example
 * ```ts
 * import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
 * import { OutboxTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const outboxTable = new OutboxTable(stack, 'Outbox', { removalPolicy: RemovalPolicy.DESTROY });
 * ```
 */
export class OutboxTable extends TableBase {
  constructor(scope: Construct, id: string, props: MessagingTableProps = {}) {
    super(scope, id, props, 'outbox');
  }
}
