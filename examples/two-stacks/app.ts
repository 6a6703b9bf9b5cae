// npm run cdk -- synth --app "node --conditions=sagabox-source examples/two-stacks/app.ts"
import { App } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { PipelineStack } from './pipeline-stack.ts';

const app = new App({ context: featureFlags });
const region = 'eu-west-1';
new PipelineStack(app, 'ShopPipeline', {
  env: { account: '111111111111', region },
  staging: { account: '222222222222', region },
  production: { account: '333333333333', region },
});
app.synth();
