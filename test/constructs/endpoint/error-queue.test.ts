import { describe, expect, it } from '@jest/globals';
import { App, type Environment, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { EndpointMonitoring } from 'sagabox/constructs';
import { inlineEndpoint, policyStatements, variablesOf, violationsOf } from '../support.ts';

const own = { account: '111111111111', region: 'eu-west-1' };

function endpointWithErrorsOf(env: Environment, queueName?: string): { app: Stack; errors: Stack } {
  const root = new App();
  const [app, errors] = [new Stack(root, 'Shop', { env: own }), new Stack(root, 'Errors', { env })];
  const errorQueue = new Queue(errors, 'Queue', queueName === undefined ? {} : { queueName });
  const orders = inlineEndpoint(app, 'Orders', { errorQueue });
  orders.grantOperate(new ManagedPolicy(app, 'Operators'));
  new EndpointMonitoring(app, 'Monitoring', { endpoint: orders });
  return { app, errors };
}

describe('the error queue of an endpoint', () => {
  it('of another account is sent to by its name, and allows the account of the function', () => {
    const { app, errors } = endpointWithErrorsOf({ ...own, account: '222222222222' }, 'errors');
    expect(violationsOf(app)).toBe('');
    expect(variablesOf(app, 'OrdersOwn').SAGABOX_ERROR_QUEUE).toEqual({
      'Fn::Join': ['', ['https://sqs.eu-west-1.', { Ref: 'AWS::URLSuffix' }, '/222222222222/errors']],
    });
    const resources = policyStatements(app, 'OrdersOwn').map(({ Resource }) => Resource);
    expect(resources).toContainEqual({
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':sqs:eu-west-1:222222222222:errors']],
    });
    Template.fromStack(errors).hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: { Statement: [{ Effect: 'Allow', Action: 'sqs:SendMessage' }] },
    });
  });

  it('of another account has to have a name', () => {
    const { app } = endpointWithErrorsOf({ ...own, account: '222222222222' });
    expect(violationsOf(app)).toContain(
      "[Shop/Orders] errorQueue: 'Errors/Queue' is in account 222222222222, region eu-west-1, and 'Shop/Orders' in account 111111111111",
    );
  });

  it.each([['errors'], [undefined]])('of another region is refused, with the name %s', (queueName) => {
    const { app } = endpointWithErrorsOf({ ...own, region: 'eu-central-1' }, queueName);
    expect(violationsOf(app)).toContain(
      "[Shop/Orders] errorQueue: 'Errors/Queue' is in another region than the function",
    );
  });

  it.each([
    ['refused if another endpoint receives from it'],
    ['taken if it is the error queue of another endpoint'],
  ])('is %s', (result) => {
    const isReceivedFrom = result === 'refused if another endpoint receives from it';
    const stack = new Stack(new App(), 'Shop', { env: own });
    const billing = inlineEndpoint(stack, 'Billing');
    const errorQueue = isReceivedFrom ? billing.queue : (billing.errorQueue as IQueue);
    inlineEndpoint(stack, 'Orders', { errorQueue });
    const found = violationsOf(stack);
    expect(found.includes('[Shop/Orders] errorQueue: Shop/Billing receives from it')).toBe(isReceivedFrom);
    if (!isReceivedFrom) expect(found).toBe('');
  });

  it('of another stack needs no name', () => {
    expect(violationsOf(endpointWithErrorsOf(own).app)).toBe('');
  });
});
