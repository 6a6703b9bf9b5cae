/** The order journey in two stacks, whose references are those that the CDK's recommended flags make. */
import { join } from 'node:path';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import {
  ClaimCheckBucket,
  EndpointMonitoring,
  MessageEndpoint,
  OutboxRelay,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';

const app = new App({ context: featureFlags });
const removalPolicy = RemovalPolicy.DESTROY;

const base = new Stack(app, 'Base');
const sagaTable = new SagaTable(base, 'Sagas', { removalPolicy });
const outboxTable = new OutboxTable(base, 'Outbox', { removalPolicy, relayStream: true });
const ledger = new Table(base, 'Ledger', {
  partitionKey: { name: 'step', type: AttributeType.STRING },
  removalPolicy,
});
const placed = new Topic(base, 'Placed');
const announcements = new EventBus(base, 'Announcements');
const claimCheck = new ClaimCheckBucket(base, 'Bodies', { removalPolicy });

const shop = new Stack(app, 'Shop');

interface JourneyEndpointProps {
  readonly endpointName: string;
  readonly fifo?: boolean;
  readonly scheduler?: boolean;
  readonly metricsNamespace?: string;
  readonly aliasName?: string;
  readonly batchSize?: number;
  readonly maxBatchingWindow?: Duration;
}

function endpoint(stack: Stack, id: string, props: JourneyEndpointProps): MessageEndpoint {
  const made = new MessageEndpoint(stack, id, {
    entry: join(import.meta.dirname, '..', 'order-journey', `${props.endpointName}.ts`),
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

const metricsNamespace = 'Shop';
const audit = endpoint(base, 'Audit', { endpointName: 'audit' });
const archive = endpoint(base, 'Keeper', {
  endpointName: 'archive',
  batchSize: 50,
  maxBatchingWindow: Duration.seconds(5),
});
const billing = endpoint(shop, 'Billing', { endpointName: 'billing', fifo: true, metricsNamespace });
// Both stacks have an 'Audit', so that equal logical ids of two stacks are kept apart.
const orders = endpoint(shop, 'Audit', {
  endpointName: 'orders',
  scheduler: true,
  metricsNamespace,
  aliasName: 'live',
});

audit.subscribesTo(announcements, { messageTypes: ['OrderConfirmed'] });
orders.subscribesTo(placed, { rawMessageDelivery: false });
orders.sendsTo(billing, archive);
// More than the environment of a function has room for.
for (let index = 0; index < 60; index++) orders.sendsTo({ name: `shop-${index}`, queue: audit.queue });
orders.publishesTo(announcements);
billing.sendsTo(orders);
const relay = new OutboxRelay(shop, 'Relay', { endpoints: [orders, billing] });
new EndpointMonitoring(shop, 'Monitoring', { endpoint: orders, relay });
app.synth();
