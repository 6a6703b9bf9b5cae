import { App, type AppProps, Stage } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { DataStack } from './data-stack.ts';
import { OrderFulfilmentStack } from './order-fulfilment-stack.ts';

/**
 * The sample, with what its context asks for: `outbox` and `locking` of the handlers, `maxWriteRequestUnits` of
 * the tables, and a `stage` that the stacks are under, with their names kept.
 */
export function sampleApp(props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...featureFlags, ...props.context } });
  const { node } = app;
  const stage = node.tryGetContext('stage');
  const scope = stage === undefined ? app : new Stage(app, String(stage));
  const stackName = 'OrderFulfilment';
  const data = new DataStack(scope, `${stackName}Data`, {
    stackName: `${stackName}Data`,
    maxWriteRequestUnits: Number(node.tryGetContext('maxWriteRequestUnits') ?? 1_000),
  });
  new OrderFulfilmentStack(scope, stackName, {
    stackName,
    data,
    outbox: String(node.tryGetContext('outbox')) !== 'false',
    locking: node.tryGetContext('locking'),
  });
  return app;
}
