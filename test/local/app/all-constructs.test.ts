import { expect, it } from '@jest/globals';
import { readCloudAssembly } from '../../../lib/local/app/cloud-assembly.ts';
import { modelResources } from '../../../lib/local/app/resources/model.ts';
import { runnableResources } from '../../../lib/local/app/resources/runnable.ts';
import { functionDefinitions } from '../../../lib/local/lambda/function-definition.ts';
import { proofApp } from '../../deployment/app/proof-app.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';

const inFolder = directoryOfTest();

it('of an app of all constructs, with the recommended flags, it leaves out what handlers do not call', async () => {
  const context = { 'aws:cdk:bundling-stacks': [], updated: true };
  proofApp({ outdir: inFolder('cdk.out'), context }).synth();
  const stacks = await readCloudAssembly(inFolder('cdk.out'));
  const { resources, notRun } = runnableResources(modelResources(stacks, 'http://queues'));
  expect([...new Set(notRun.map(({ type }) => type))].toSorted()).toEqual([
    'AWS::ApiGatewayV2::Api',
    'AWS::ApiGatewayV2::Integration',
    'AWS::ApiGatewayV2::Route',
    'AWS::ApiGatewayV2::Stage',
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::IAM::Policy',
    'AWS::IAM::Role',
    'AWS::KMS::Key',
    'AWS::Lambda::Alias',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Lambda::Permission',
    'AWS::Lambda::Url',
    'AWS::Lambda::Version',
    'AWS::Logs::LogGroup',
    'AWS::S3::BucketPolicy',
    'AWS::SNS::TopicPolicy',
    'AWS::SQS::QueuePolicy',
  ]);
  expect(functionDefinitions(resources).length).toBeGreaterThan(5);
  expect(JSON.stringify(resources.map(({ properties }) => properties))).not.toContain(
    'not-run-locally:unknown',
  );
});
