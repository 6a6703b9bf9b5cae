/** The sample as it was deployed before event source mappings had ids that no path changes. */
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { sampleApp } from '../../../bin/sample/sample-app.ts';

const formerIds: Readonly<Record<string, string>> = {
  Orders: 'OrdersFunctionSqsEventSourceOrderFulfilmentOrdersQueue83DDBD00AE68AA3A',
  Billing: 'BillingFunctionSqsEventSourceOrderFulfilmentBillingQueueE42955AD825D8957',
  Shipping: 'ShippingFunctionSqsEventSourceOrderFulfilmentShippingQueue092B1BD2DB8963EF',
};

const app = sampleApp();
const mappings = app.node.findAll().filter((one) => one instanceof CfnEventSourceMapping);
for (const mapping of mappings) {
  const id = Object.keys(formerIds).find((name) => mapping.node.path.includes(`/${name}/`));
  if (id === undefined) throw new Error(`The sample had no ${mapping.node.path}`);
  mapping.overrideLogicalId(String(formerIds[id]));
}
app.synth();
