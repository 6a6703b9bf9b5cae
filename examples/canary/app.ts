// npm run cdk -- deploy --app "node --conditions=sagabox-source examples/canary/app.ts"
import { App } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { CanaryStack } from './canary-stack.ts';

const app = new App({ context: featureFlags });
new CanaryStack(app, 'Canary');
app.synth();
