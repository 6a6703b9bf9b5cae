import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  ClaimCheckBucket,
  EndpointMonitoring,
  MessageEndpoint,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SagaTable,
  TableCapacity,
} from 'sagabox/constructs';
import { bundling, endpointDefaults, handlerFile } from './endpoint-defaults.ts';
import { shopApi } from './shop-api.ts';

const workload = {
  message: { sagaBytes: 500, outgoing: 2, messageBytes: 500 },
  messagesPerSecond: 50,
  peakMessagesPerSecond: 200,
};

/** Leaves no room in the environment for what the endpoint has to know. */
const termsOfTrade = 'As agreed. '.repeat(230);

/** Orders, billing and the API of the shop, with what everybody shares: topic, event bus, ledger and the queues of others. */
export class StoreStack extends Stack {
  readonly topic = new Topic(this, 'Shop', { enforceSSL: true });
  readonly eventBus = new EventBus(this, 'Company');
  readonly ledger: Table;
  readonly claimCheck: ClaimCheckBucket;
  readonly orders: MessageEndpoint;
  readonly parcels: MessageEndpoint;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    this.ledger = new Table(this, 'Ledger', {
      partitionKey: { name: 'step', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Retained, as it is unless told otherwise. Provisioned capacity would bring autoscaling along, which the
    // emulator does not know.
    const sagaTable = new SagaTable(this, 'Sagas', {
      capacity: TableCapacity.onDemand({ maxWriteRequestUnits: 4000 }),
      // For the sagas with an embedded outbox.
      relayStream: true,
    });
    const outboxTable = new OutboxTable(this, 'Outbox', {
      capacity: TableCapacity.onDemand({ workload }),
      capacityAlarms: true,
      relayStream: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const scheduler = new MessageScheduler(this, 'Scheduler');
    // Retained too: CDK's function that empties a bucket looks for a tag, which the emulator does not set.
    this.claimCheck = new ClaimCheckBucket(this, 'Bodies');
    const receipts = new Queue(this, 'Receipts', { enforceSSL: true });
    const labels = new Queue(this, 'Labels', { enforceSSL: true, fifo: true });
    for (const farEnd of [receipts, labels]) {
      const reason = 'The proof reads all of its messages itself.';
      Validations.of(farEnd).acknowledge({ id: 'AwsSolutions::AwsSolutions-SQS3', reason });
    }

    const shared = {
      ...endpointDefaults,
      outboxTable,
      claimCheck: this.claimCheck,
      environment: { LEDGER_TABLE: this.ledger.tableName },
    };
    this.orders = new MessageEndpoint(this, 'Orders', {
      ...shared,
      entry: handlerFile('orders'),
      environment: { ...shared.environment, TERMS_OF_TRADE: termsOfTrade },
      sagaTable,
      leadingKeys: { sagas: ['ProofOrder', 'ProofDelivery', 'OrdersCounter', 'OrderRemarks'] },
      scheduler,
    });
    const billing = new MessageEndpoint(this, 'Billing', {
      ...shared,
      entry: handlerFile('billing'),
      sagaTable,
      fifo: true,
    });
    this.parcels = new MessageEndpoint(this, 'Parcels', {
      ...shared,
      entry: handlerFile('parcels'),
      sagaTable,
      embeddedOutbox: true,
    });
    for (const endpoint of [this.orders, billing, this.parcels])
      this.ledger.grant(endpoint.function, 'dynamodb:UpdateItem');
    this.orders.sendsTo(
      billing,
      this.parcels,
      { name: 'receipts', queue: receipts },
      { name: 'labels', queue: labels },
    );
    this.orders.publishesTo(this.topic);
    this.orders.publishesTo(this.eventBus, { messageTypes: ['OrderAudited'] });
    billing.sendsTo(this.orders);
    this.parcels.sendsTo(this.orders);
    const api = shopApi(this, { outboxTable, claimCheck: this.claimCheck, ledger: this.ledger });
    api.sendsTo(this.orders);

    const relay = new OutboxRelay(this, 'OrdersRelay', {
      endpoints: [this.orders, billing, this.parcels, api],
      entry: handlerFile('relay'),
      every: Duration.minutes(1),
      olderThan: Duration.seconds(5),
      functionTimeout: Duration.seconds(30),
      bundling,
    });

    new EndpointMonitoring(this, 'OrdersMonitoring', { endpoint: this.orders, relay });
    // For whoever runs the package's command line.
    const operator = new Role(this, 'Operator', { assumedBy: new AccountRootPrincipal() });
    this.orders.grantOperate(operator);

    this.#output('OperatorRoleArn', operator.roleArn);
    this.#output('OrdersQueueUrl', this.orders.queue.queueUrl);
    this.#output('BillingQueueUrl', billing.queue.queueUrl);
    this.#output('ParcelsQueueUrl', this.parcels.queue.queueUrl);
    this.#output('ReceiptsQueueUrl', receipts.queueUrl);
    this.#output('LabelsQueueUrl', labels.queueUrl);
    this.#output('TopicArn', this.topic.topicArn);
    this.#output('EventBusName', this.eventBus.eventBusName);
    this.#output('LedgerTableName', this.ledger.tableName);
    this.#output('OutboxTableName', outboxTable.tableName);
    this.#output('SagaTableName', sagaTable.tableName);
    this.#output('ScheduleGroupName', scheduler.groupName);
    this.#output('OrdersRelayName', relay.function.functionName);
  }

  #output(id: string, value: string): void {
    new CfnOutput(this, id, { value });
  }
}
