import { join } from 'node:path';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { MessageEndpoint, OutboxRelay, OutboxTable, SagaTable, SendOnlyEndpoint } from 'sagabox/constructs';

const handlers = join(import.meta.dirname, 'handlers');
// The handlers import sagabox from its sources, without a build.
const esbuildArgs = { '--conditions': 'sagabox-source' };

/** An HTTP API places orders, a saga handles them, and an endpoint without a saga charges them. */
export function synthesizeRicApp(outdir: string): void {
  const app = new App({ outdir });
  const stack = new Stack(app, 'Ric');
  const sagaTable = new SagaTable(stack, 'SagaTable');
  const outboxTable = new OutboxTable(stack, 'OutboxTable', { relayStream: true });
  const ordersTable = ledger(stack, 'OrdersTable');
  const chargesTable = ledger(stack, 'ChargesTable');
  const endpoint = (id: string, file: string, props: { readonly sagaTable?: SagaTable } = {}) =>
    new MessageEndpoint(stack, id, {
      entry: join(handlers, file),
      outboxTable,
      functionTimeout: Duration.seconds(10),
      bundling: { esbuildArgs },
      ...props,
    });
  const orders = endpoint('Orders', 'orders.ts', { sagaTable });
  const billing = endpoint('Billing', 'billing.ts');
  orders.sendsTo(billing);
  billing.sendsTo(orders);
  billing.function.addEnvironment('CHARGES_TABLE', chargesTable.tableName);
  chargesTable.grantWriteData(billing.function);

  const placeOrder = new NodejsFunction(stack, 'PlaceOrder', {
    entry: join(handlers, 'place-order.ts'),
    runtime: Runtime.NODEJS_24_X,
    timeout: Duration.seconds(10),
    loggingFormat: LoggingFormat.JSON,
    environment: { ORDERS_TABLE: ordersTable.tableName },
    bundling: { format: OutputFormat.ESM, minify: true, externalModules: ['@aws-sdk/*'], esbuildArgs },
  });
  ordersTable.grantWriteData(placeOrder);
  const api = new SendOnlyEndpoint(stack, 'Api', { outboxTable, functions: [placeOrder] });
  api.sendsTo(orders);
  new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing, api] });
  new CfnOutput(stack, 'OrdersTableName', { value: ordersTable.tableName });
  new CfnOutput(stack, 'ChargesTableName', { value: chargesTable.tableName });
  new CfnOutput(stack, 'SagaTableName', { value: sagaTable.tableName });
  new CfnOutput(stack, 'OutboxTableName', { value: outboxTable.tableName });
  app.synth();
}

function ledger(stack: Stack, id: string): Table {
  return new Table(stack, id, { partitionKey: { name: 'orderId', type: AttributeType.STRING } });
}
