import { describe, expect, it } from '@jest/globals';
import { modelResources } from '../../../lib/local/app/resources/model.ts';
import { runnableResources } from '../../../lib/local/app/resources/runnable.ts';
import { functionDefinitions } from '../../../lib/local/lambda/function-definition.ts';

const path = '/sagabox/App/Orders/SAGABOX_DESTINATIONS/0123456789ab';

const parameter = (Name: unknown, Value: unknown) => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Type: 'String', Name, Value },
});

function run(value: unknown, parameters: Record<string, ReturnType<typeof parameter>>) {
  const Resources = {
    Queue: { Type: 'AWS::SQS::Queue' },
    Node: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Code: { S3Key: 'asset.zip' },
        Environment: { Variables: { SAGABOX_DESTINATIONS: value, OWN: '1' } },
      },
    },
    ...parameters,
  };
  const assetPaths = new Map([['asset', '/code']]);
  const stack = { name: 'App', template: { Resources }, nestedTemplates: [], assetPaths };
  const { resources, notRun } = runnableResources(modelResources([stack], 'http://queues'));
  return { notRun, environment: () => functionDefinitions(resources)[0]?.environment };
}

describe('a setting that is kept in parameters', () => {
  it('is a variable of the function here, its parts in the order of their names and resolved', () => {
    const large = 'x'.repeat(20_000);
    const { environment, notRun } = run(`ssm:${path}#2`, {
      Second: parameter(`${path}/001`, '-Queue"}'),
      First: parameter(`${path}/000`, { 'Fn::Join': ['', [large, '{"q":"', { Ref: 'AWS::StackName' }]] }),
      Third: parameter(`${path}/002`, 'beyond the count'),
      Other: parameter(`${path}Other/000`, 'of another setting'),
      Deeper: parameter(`${path}/more/000`, 'below another path'),
    });
    expect(environment()).toEqual({ SAGABOX_DESTINATIONS: `${large}{"q":"App-Queue"}`, OWN: '1' });
    expect(notRun).toEqual([
      { stackName: 'App', type: 'AWS::SSM::Parameter', logicalIds: ['Third'] },
      { stackName: 'App', type: 'AWS::SSM::Parameter', logicalIds: ['Other'] },
      { stackName: 'App', type: 'AWS::SSM::Parameter', logicalIds: ['Deeper'] },
    ]);
  });

  it('is found by the name that its intrinsics form', () => {
    const named = (suffix: string) => ({
      'Fn::Join': ['', ['/sagabox/', { Ref: 'AWS::StackName' }, suffix]],
    });
    const { environment } = run(
      { 'Fn::Join': ['', ['ssm:/sagabox/', { Ref: 'AWS::StackName' }, '#1']] },
      { Only: parameter(named('/000'), '{}') },
    );
    expect(environment()).toMatchObject({ SAGABOX_DESTINATIONS: '{}' });
  });

  it('leaves a variable that holds the setting itself as it is', () => {
    const { environment } = run('{"orders":"App-Queue"}', {});
    expect(environment()).toEqual({ SAGABOX_DESTINATIONS: '{"orders":"App-Queue"}', OWN: '1' });
  });

  it('is refused when the app does not declare it', () => {
    const { environment } = run(`ssm:${path}#2`, { First: parameter(`${path}/000`, '{}') });
    expect(environment).toThrow(
      `SAGABOX_DESTINATIONS: it refers to the parameter '${path}/001', which the app does not declare`,
    );
  });
});
