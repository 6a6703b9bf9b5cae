import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { bundling, endpointDefaults, handlerFile } from './endpoint-defaults.ts';
import type { StoreStack } from './store-stack.ts';
import { officeUpdates } from './updates-by-context.ts';

interface OfficeProps extends StackProps {
  readonly store: StoreStack;
  /** The update replaces the handler of the audit, and adds an endpoint and its subscription. */
  readonly updated: boolean;
}

/** Stock and audit, which hear of the store's orders by its topic and its event bus. */
export class OfficeStack extends Stack {
  constructor(scope: Construct, id: string, { store, updated, ...props }: OfficeProps) {
    super(scope, id, props);
    const updates = officeUpdates(this, updated);
    const stockTable = new Table(this, 'StockTable', {
      partitionKey: { name: 'owner', type: AttributeType.STRING },
      sortKey: { name: 'part', type: AttributeType.STRING },
      timeToLiveAttribute: 'goneAt',
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const auditTable = new OutboxTable(this, 'AuditTable', { removalPolicy: RemovalPolicy.DESTROY });
    const encryptionKey = new Key(this, 'StockKey', {
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const shared = { ...endpointDefaults, environment: { LEDGER_TABLE: store.ledger.tableName } };

    const stock = new MessageEndpoint(this, 'Stock', {
      ...shared,
      entry: handlerFile('stock'),
      sagaTable: stockTable,
      locking: 'pessimistic',
      outboxTable: stockTable,
      claimCheck: store.claimCheck,
      encryptionKey,
    });
    stock.subscribesTo(store.topic);
    stock.sendsTo(store.orders, store.parcels);
    // The table has no stream: the whole of it is read.
    const relay = new OutboxRelay(this, 'StockRelay', {
      endpoints: [stock],
      entry: handlerFile('relay'),
      every: Duration.minutes(1),
      olderThan: Duration.seconds(5),
      functionTimeout: Duration.seconds(30),
      bundling,
    });

    const audit = new MessageEndpoint(this, 'Audit', {
      ...shared,
      entry: handlerFile(updates.renamed ? 'audit-updated' : 'audit'),
      outboxTable: auditTable,
      aliasName: 'live',
    });
    audit.subscribesTo(store.topic, { rawMessageDelivery: false, messageTypes: ['GoodsOrdered'] });
    audit.subscribesTo(store.eventBus, { messageTypes: ['OrderAudited'], fromEndpoints: [store.orders] });
    audit.subscribesTo(store.eventBus, { eventPattern: { source: ['proof.payments'] } });

    const endpoints = [stock, audit];
    if (updates.archive !== 'none') {
      const archive = new MessageEndpoint(this, 'Archive', {
        ...shared,
        entry: handlerFile('archive'),
        outboxTable: auditTable,
      });
      if (updates.archive === 'subscribed')
        archive.subscribesTo(store.eventBus, { messageTypes: ['OrderAudited'] });
      endpoints.push(archive);
    }
    for (const endpoint of endpoints) {
      store.ledger.grant(endpoint.function, 'dynamodb:UpdateItem');
      new CfnOutput(this, `${endpoint.node.id}QueueUrl`, { value: endpoint.queue.queueUrl });
    }
    new CfnOutput(this, 'StockTableName', { value: stockTable.tableName });
    new CfnOutput(this, 'AuditTableName', { value: auditTable.tableName });
    new CfnOutput(this, 'StockRelayName', { value: relay.function.functionName });
  }
}
