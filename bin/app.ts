import { join } from 'node:path';
import { App, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import type { Construct } from 'constructs';
import { type BundledEndpointProps, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';

interface OrderFulfilmentProps extends StackProps {
  /**
   * Whether the handlers use their outbox; without it, messages that are delivered twice are applied twice.
   *
   * @default true
   */
  readonly outbox?: boolean;
  /**
   * How the handlers of one saga are kept apart: 'optimistic', 'eventual' or 'pessimistic'.
   *
   * @default 'optimistic'
   */
  readonly locking?: string;
}

/**
 * Orders are charged by billing, shipped by shipping, and announced on a queue that belongs to someone else.
 */
class OrderFulfilment extends Stack {
  readonly #endpointDefaults: Omit<BundledEndpointProps, 'entry'>;

  constructor(scope: Construct, id: string, props: OrderFulfilmentProps = {}) {
    super(scope, id, props);
    const sagaTable = new SagaTable(this, 'SagaTable', { removalPolicy: RemovalPolicy.DESTROY });
    const outboxTable = new OutboxTable(this, 'OutboxTable', { removalPolicy: RemovalPolicy.DESTROY });
    const charges = this.#ledger('Charges');
    const shipments = this.#ledger('Shipments');
    const notifications = new Queue(this, 'Notifications', { enforceSSL: true });

    this.#endpointDefaults = {
      outboxTable,
      functionTimeout: Duration.seconds(10),
      maxReceiveCount: 10,
      environment: {
        ...(props.outbox === false && { SAMPLE_OUTBOX: 'false' }),
        ...(props.locking !== undefined && { SAMPLE_LOCKING: props.locking }),
      },
      // The sample imports sagabox from its sources, without a build.
      bundling: { metafile: true, esbuildArgs: { '--conditions': 'sagabox-source' } },
    };
    const orders = this.#endpoint('Orders', { sagaTable });
    const billing = this.#endpoint('Billing');
    const shipping = this.#endpoint('Shipping');

    orders.sendsTo(billing, shipping, { name: 'notifications', queue: notifications });
    billing.sendsTo(orders);
    shipping.sendsTo(orders);

    billing.function.addEnvironment('CHARGES_TABLE', charges.tableName);
    charges.grant(billing.function, 'dynamodb:UpdateItem');
    shipping.function.addEnvironment('SHIPMENTS_TABLE', shipments.tableName);
    shipments.grant(shipping.function, 'dynamodb:UpdateItem');

    this.#output('OrdersQueueUrl', orders.queue.queueUrl);
    this.#output('NotificationsQueueUrl', notifications.queueUrl);
    this.#output('SagaTableName', sagaTable.tableName);
    this.#output('OutboxTableName', outboxTable.tableName);
    this.#output('ChargesTableName', charges.tableName);
    this.#output('ShipmentsTableName', shipments.tableName);
  }

  #endpoint(id: string, props: Partial<BundledEndpointProps> = {}): MessageEndpoint {
    const entry = join(import.meta.dirname, '..', 'lambdas', `${id.toLowerCase()}.ts`);
    return new MessageEndpoint(this, id, { entry, ...this.#endpointDefaults, ...props });
  }

  #ledger(id: string): Table {
    return new Table(this, id, {
      partitionKey: { name: 'orderId', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  #output(id: string, value: string): void {
    new CfnOutput(this, id, { value });
  }
}

// Log groups that CDK makes would outlive the sample's stack.
const context = { ...featureFlags, '@aws-cdk/aws-lambda:useCdkManagedLogGroup': false };
const app = new App({ context });
new OrderFulfilment(app, 'OrderFulfilment', {
  outbox: String(app.node.tryGetContext('outbox')) !== 'false',
  locking: app.node.tryGetContext('locking'),
});
app.synth();
