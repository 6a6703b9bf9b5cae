import { join } from 'node:path';
import { CfnOutput, Duration, RemovalPolicies, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Subscription, SubscriptionProtocol, type Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  type BundledEndpointProps,
  EndpointMonitoring,
  MessageEndpoint,
  OutboxRelay,
} from 'sagabox/constructs';
import type { DataStack } from './data-stack.ts';

interface OrderFulfilmentProps extends StackProps {
  readonly data: DataStack;
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

const metricsNamespace = 'OrderFulfilment';

/**
 * Orders are charged by billing and shipped by shipping, which keeps the order of each order's messages. What
 * becomes of them is published, and a queue that belongs to someone else subscribes to it.
 */
export class OrderFulfilmentStack extends Stack {
  readonly #endpointDefaults: Omit<BundledEndpointProps, 'entry'>;

  constructor(scope: Construct, id: string, { data, outbox, locking, ...props }: OrderFulfilmentProps) {
    super(scope, id, props);
    const { sagaTable, outboxTable, charges, shipments, orderEvents } = data;
    this.#endpointDefaults = {
      outboxTable,
      functionTimeout: Duration.seconds(10),
      maxReceiveCount: 10,
      removalPolicy: RemovalPolicy.DESTROY,
      metricsNamespace,
      environment: {
        ...(outbox === false && { SAMPLE_OUTBOX: 'false' }),
        ...(locking !== undefined && { SAMPLE_LOCKING: locking }),
      },
      // The sample imports sagabox from its sources, without a build.
      bundling: { metafile: true, esbuildArgs: { '--conditions': 'sagabox-source' } },
    };
    const orders = this.#endpoint('Orders', {
      sagaTable,
      locking: locking === 'pessimistic' ? 'pessimistic' : 'optimistic',
    });
    const billing = this.#endpoint('Billing');
    const shipping = this.#endpoint('Shipping', { fifo: true });

    orders.sendsTo(billing, shipping);
    billing.sendsTo(orders);
    shipping.sendsTo(orders);
    orders.publishesTo(orderEvents);

    const notifications = new Queue(this, 'Notifications', { enforceSSL: true });
    this.#subscribe(notifications, orderEvents);

    billing.function.addEnvironment('CHARGES_TABLE', charges.tableName);
    charges.grant(billing.function, 'dynamodb:UpdateItem');
    shipping.function.addEnvironment('SHIPMENTS_TABLE', shipments.tableName);
    shipments.grant(shipping.function, 'dynamodb:UpdateItem');

    const relay = new OutboxRelay(this, 'Relay', { endpoints: [orders, billing, shipping] });
    // Its log group is retained otherwise.
    RemovalPolicies.of(relay).destroy();
    new EndpointMonitoring(this, 'OrdersMonitoring', { endpoint: orders, relay });

    this.#output('OrdersQueueUrl', orders.queue.queueUrl);
    this.#output('NotificationsQueueUrl', notifications.queueUrl);
    this.#output('SagaTableName', sagaTable.tableName);
    this.#output('OutboxTableName', outboxTable.tableName);
    this.#output('ChargesTableName', charges.tableName);
    this.#output('ShipmentsTableName', shipments.tableName);
  }

  #endpoint(id: string, props: Partial<BundledEndpointProps> = {}): MessageEndpoint {
    const entry = join(import.meta.dirname, '..', '..', 'lambdas', `${id.toLowerCase()}.ts`);
    return new MessageEndpoint(this, id, { entry, ...this.#endpointDefaults, ...props });
  }

  /** With an id of its own: that of CDK's SqsSubscription has the path in it, and changes under a stage. */
  #subscribe(queue: Queue, topic: Topic): void {
    const { queueArn: endpoint } = queue;
    const protocol = SubscriptionProtocol.SQS;
    new Subscription(queue, topic.node.id, { topic, endpoint, protocol, rawMessageDelivery: true });
    queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('sns.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': topic.topicArn } },
      }),
    );
  }

  #output(id: string, value: string): void {
    new CfnOutput(this, id, { value });
  }
}
