import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';

interface DataProps extends StackProps {
  /** What the tables write in a second at most, and so cost at most. */
  readonly maxWriteRequestUnits: number;
}

/** What outlives a deployment of the handlers: the tables, and the topic that others subscribe to. */
export class DataStack extends Stack {
  readonly sagaTable: SagaTable;
  readonly outboxTable: OutboxTable;
  readonly charges: Table;
  readonly shipments: Table;
  readonly orderEvents: Topic;

  constructor(scope: Construct, id: string, { maxWriteRequestUnits, ...props }: DataProps) {
    super(scope, id, props);
    const capacity = TableCapacity.onDemand({ maxWriteRequestUnits });
    this.sagaTable = new SagaTable(this, 'SagaTable', { capacity, removalPolicy: RemovalPolicy.DESTROY });
    this.outboxTable = new OutboxTable(this, 'OutboxTable', {
      capacity,
      relayStream: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.charges = this.#ledger('Charges');
    this.shipments = this.#ledger('Shipments');
    this.orderEvents = new Topic(this, 'OrderEvents', { enforceSSL: true });
  }

  #ledger(id: string): Table {
    return new Table(this, id, {
      partitionKey: { name: 'orderId', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
