/** The app that the proof deploys: every construct of the package, and every way in and out. */
import { App } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { OfficeStack } from './office-stack.ts';
import { StoreStack } from './store-stack.ts';

// Log groups that CDK makes would be left behind.
const context = { ...featureFlags, '@aws-cdk/aws-lambda:useCdkManagedLogGroup': false };
const app = new App({ context });
const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
const isKnown = env.account !== undefined && env.region !== undefined;
const props = isKnown ? { env: { account: env.account ?? '', region: env.region ?? '' } } : {};
const store = new StoreStack(app, 'ProofStore', props);
new OfficeStack(app, 'ProofOffice', {
  ...props,
  store,
  updated: String(app.node.tryGetContext('updated')) === 'true',
});
app.synth();
