/** One order that goes through a topic, an event bus, a FIFO queue, a long timeout and a claim check. */
import { join } from 'node:path';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { ClaimCheckBucket, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';

const stack = new Stack(new App(), 'Journey');
const removalPolicy = RemovalPolicy.DESTROY;
const sagaTable = new SagaTable(stack, 'Sagas', { removalPolicy });
const outboxTable = new OutboxTable(stack, 'Outbox', { removalPolicy });
const ledger = new Table(stack, 'Ledger', {
  tableName: 'Journey-Ledger',
  partitionKey: { name: 'step', type: AttributeType.STRING },
  removalPolicy,
});
const shop = new Topic(stack, 'Shop', { topicName: 'Journey-Shop' });
const announcements = new EventBus(stack, 'Announcements', { eventBusName: 'Journey-Announcements' });
const claimCheck = new ClaimCheckBucket(stack, 'Bodies', { bucketName: 'journey-bodies', removalPolicy });

function endpoint(id: string, props: { fifo?: boolean; scheduler?: boolean } = {}): MessageEndpoint {
  const made = new MessageEndpoint(stack, id, {
    entry: join(import.meta.dirname, `${id.toLowerCase()}.ts`),
    sagaTable,
    outboxTable,
    claimCheck,
    functionTimeout: Duration.seconds(10),
    maxReceiveCount: 20,
    environment: { LEDGER_TABLE: ledger.tableName },
    bundling: { esbuildArgs: { '--conditions': 'sagabox-source' } },
    ...props,
  });
  ledger.grant(made.function, 'dynamodb:UpdateItem');
  return made;
}

const orders = endpoint('Orders', { scheduler: true });
const billing = endpoint('Billing', { fifo: true });
const audit = endpoint('Audit');
const archive = endpoint('Archive');

orders.subscribesTo(shop, { rawMessageDelivery: false });
orders.publishesTo(announcements);
orders.sendsTo(billing, archive);
billing.sendsTo(orders);
audit.subscribesTo(announcements, { messageTypes: ['OrderConfirmed'] });
