import { App, type AppProps, Stage } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { OfficeStack } from './office-stack.ts';
import { StoreStack } from './store-stack.ts';

/**
 * Every construct of the package, and every way in and out, in two stacks. By its context it has the update
 * (`updated`), stands under a stage (`stage`) with its stacks' names kept, or has stacks of other names
 * (`prefix`).
 */
export function proofApp({ context, ...props }: AppProps = {}): App {
  // Log groups that CDK makes would be left behind.
  const flags = { ...featureFlags, '@aws-cdk/aws-lambda:useCdkManagedLogGroup': false };
  const app = new App({ ...props, context: { ...flags, ...context } });
  const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
  const isKnown = env.account !== undefined && env.region !== undefined;
  const stackProps = isKnown ? { env: { account: env.account ?? '', region: env.region ?? '' } } : {};
  const stage = app.node.tryGetContext('stage');
  const prefix = app.node.tryGetContext('prefix') ?? 'Proof';
  const scope = stage === undefined ? app : new Stage(app, String(stage));
  const named = (name: string) => ({ ...stackProps, stackName: `${prefix}${name}` });
  const store = new StoreStack(scope, `${prefix}Store`, named('Store'));
  new OfficeStack(scope, `${prefix}Office`, {
    ...named('Office'),
    store,
    updated: String(app.node.tryGetContext('updated')) === 'true',
  });
  return app;
}
