import { type Environment, Stack, type StackProps } from 'aws-cdk-lib';
import {
  CodePipeline,
  CodePipelineSource,
  type IFileSetProducer,
  ManualApprovalStep,
  ShellStep,
} from 'aws-cdk-lib/pipelines';
import type { Construct } from 'constructs';
import { ShopStage } from './shop-stage.ts';

interface PipelineStackProps extends StackProps {
  /** The accounts of the shop: the names of its queues are taken once in each. */
  readonly staging: Environment;
  readonly production: Environment;
}

/** Tests and synthesizes each commit, and deploys it to staging, and to production once somebody agrees. */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, { staging, production, ...props }: PipelineStackProps) {
    super(scope, id, props);
    // Both are producers; only their types are not written for exactOptionalPropertyTypes.
    const input = CodePipelineSource.connection('shop/shop', 'main', {
      connectionArn: this.formatArn({
        service: 'codeconnections',
        resource: 'connection',
        resourceName: '00000000-0000-0000-0000-000000000000',
      }),
    }) as IFileSetProducer;
    const pipeline = new CodePipeline(this, 'Pipeline', {
      // Its artifacts are read from the other accounts.
      crossAccountKeys: true,
      enableKeyRotation: true,
      synth: new ShellStep('Synth', {
        input,
        commands: [
          'npm ci',
          'npm test -- test/examples/two-stacks',
          'npm run cdk -- synth --quiet --app "node --conditions=sagabox-source examples/two-stacks/app.ts"',
        ],
      }) as IFileSetProducer,
    });
    pipeline.addStage(new ShopStage(this, 'Staging', { env: staging }));
    pipeline.addStage(new ShopStage(this, 'Production', { env: production }), {
      pre: [new ManualApprovalStep('Release')],
    });
  }
}
