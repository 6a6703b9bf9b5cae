import { join } from 'node:path';
import { Stack, Stage, type StageProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type BundledEndpointProps, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';

/** One environment of the shop: a stack for each team, which can be deployed in any order. */
export class ShopStage extends Stage {
  constructor(scope: Construct, id: string, props: StageProps) {
    super(scope, id, props);
    const ordersStack = new Stack(this, 'Orders');
    const sagaTable = new SagaTable(ordersStack, 'SagaTable');
    const orders = endpoint(ordersStack, 'orders', { sagaTable });
    const billing = endpoint(new Stack(this, 'Billing'), 'billing');
    // Each queue has a name, by which the other stack knows it: neither depends on the other.
    orders.sendsTo(billing);
    billing.sendsTo(orders);
  }
}

function endpoint(
  stack: Stack,
  name: 'orders' | 'billing',
  props: Partial<BundledEndpointProps> = {},
): MessageEndpoint {
  return new MessageEndpoint(stack, 'Endpoint', {
    entry: join(import.meta.dirname, `${name}.ts`),
    endpointName: name,
    queueName: name,
    outboxTable: new OutboxTable(stack, 'OutboxTable'),
    // The examples import sagabox from its sources, without a build.
    bundling: { esbuildArgs: { '--conditions': 'sagabox-source' } },
    ...props,
  });
}
