import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CloudAssembly, CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { testApp } from 'sagabox/testing';
import { billingHandlers } from '../../../examples/two-stacks/billing.ts';
import { orderSaga } from '../../../examples/two-stacks/orders.ts';
import { PipelineStack } from '../../../examples/two-stacks/pipeline-stack.ts';
import { unbundledStack } from '../../constructs/support.ts';

const region = 'eu-west-1';
const accounts = { Staging: '222222222222', Production: '333333333333' } as const;

describe('examples/two-stacks', () => {
  let pipeline: Stack;
  let assembly: CloudAssembly;

  beforeAll(() => {
    const app = unbundledStack().node.root as App;
    pipeline = new PipelineStack(app, 'ShopPipeline', {
      env: { account: '111111111111', region },
      staging: { account: accounts.Staging, region },
      production: { account: accounts.Production, region },
    });
    // Throws for a violation of the rules of the constructs.
    assembly = app.synth();
  });

  const stacksOf = (stage: string): CloudFormationStackArtifact[] =>
    assembly.getNestedAssembly(`assembly-ShopPipeline-${stage}`).stacks;

  it.each(Object.entries(accounts))(
    'has two stacks for %s, of which none depends on the other',
    (stage, account) => {
      const stacks = stacksOf(stage);
      expect(stacks.map(({ stackName }) => stackName).toSorted()).toEqual([
        `${stage}-Billing`,
        `${stage}-Orders`,
      ]);
      for (const { environment, dependencies, template } of stacks) {
        expect(environment.account).toBe(account);
        expect(dependencies.filter(({ manifest }) => manifest.type === 'aws:cloudformation:stack')).toEqual(
          [],
        );
        expect(JSON.stringify(template)).not.toContain('Fn::ImportValue');
      }
    },
  );

  it('lets each endpoint send to the queue of the other one, by its name', () => {
    const destinationsOf = ({ template }: CloudFormationStackArtifact) =>
      Object.values(Template.fromJSON(template).findResources('AWS::Lambda::Function')).flatMap(
        ({ Properties }) =>
          JSON.stringify(Properties.Environment.Variables.SAGABOX_DESTINATIONS ?? '').replaceAll('\\', ''),
      );
    const [billing, orders] = stacksOf('Staging').toSorted((one, other) =>
      one.stackName.localeCompare(other.stackName),
    );
    expect(orders && destinationsOf(orders)).toEqual([
      expect.stringContaining('"billing":{"address":"billing"'),
    ]);
    expect(billing && destinationsOf(billing)).toEqual([
      expect.stringContaining('"orders":{"address":"orders"'),
    ]);
  });

  it('deploys both at the same time, and to production when somebody has agreed', () => {
    const [{ Properties }] = Object.values(
      Template.fromStack(pipeline).findResources('AWS::CodePipeline::Pipeline'),
    ) as [{ Properties: { Stages: { Name: string; Actions: { Name: string; RunOrder: number }[] }[] } }];
    const orderOf = ({ Name, RunOrder }: { Name: string; RunOrder: number }) => [Name, RunOrder];
    const actions = Properties.Stages.map(({ Name, Actions }) => [Name, Actions.map(orderOf).toSorted()]);
    expect(Object.fromEntries(actions)).toMatchObject({
      Staging: [
        ['Billing.Deploy', 2],
        ['Billing.Prepare', 1],
        ['Orders.Deploy', 2],
        ['Orders.Prepare', 1],
      ],
      Production: [
        ['Billing.Deploy', 3],
        ['Billing.Prepare', 2],
        ['Orders.Deploy', 3],
        ['Orders.Prepare', 2],
        ['Release', 1],
      ],
    });
  });

  it('charges an order', async () => {
    const app = testApp(
      [
        { endpoint: 'orders', handles: orderSaga },
        { endpoint: 'billing', handles: billingHandlers },
      ],
      { seed: 1 },
    );
    app.send('orders', 'OrderPlaced', { orderId: '7', cents: 500 });
    await app.deliverAll();
    expect(app.state(orderSaga, '7')).toEqual({ status: 'charged' });
  });
});
