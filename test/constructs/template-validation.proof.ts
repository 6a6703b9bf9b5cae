import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type App, Duration, type Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import {
  ClaimCheckBucket,
  MessageEndpoint,
  OutboxRelay,
  OutboxTable,
  SagaTable,
  SendOnlyEndpoint,
  TableCapacity,
} from 'sagabox/constructs';
import { proofApp } from '../deployment/app/proof-app.ts';
import { directoryOfTest } from '../support/temporary-directory.ts';
import { inlineFunction, unbundledStack } from './support.ts';

const { env } = process;
const off = env.CDK_VALIDATION;

// Off in the other test files, see jest.config.js.
beforeAll(() => {
  env.CDK_VALIDATION = 'true';
});

afterAll(() => {
  env.CDK_VALIDATION = off;
});

const inFolder = directoryOfTest();

/** A stack in whose template what the CDK finds wrong is an error, and fails the synth. */
const validated = { '@aws-cdk/core:validateAgainstDefaultRules': true };
const validatedStack = () => unbundledStack(validated);

/** What the CDK has to say of a template, warnings too. */
function findingsIn({ node }: Stack | App): string[] {
  const { directory } = (node.root as App).synth();
  const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  return pluginReports.flatMap(({ violations }: { violations: { description: string }[] }) =>
    violations.map(({ description }) => description),
  );
}

const limits = { read: { minCapacity: 1, maxCapacity: 100 }, write: { minCapacity: 1, maxCapacity: 1_000 } };

/** What the app of the deployment proof cannot have, as the emulator does not know it, and more. */
function everything(stack: Stack): void {
  const capacity = TableCapacity.provisioned(limits);
  const sagaTable = new SagaTable(stack, 'Sagas', { capacity, capacityAlarms: true });
  const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
  const claimCheck = new ClaimCheckBucket(stack, 'Bodies');
  const endpoint = (id: string, fifo: boolean) =>
    new MessageEndpoint(stack, id, {
      function: inlineFunction(stack, `${id}Own`, Duration.seconds(30)),
      sagaTable,
      outboxTable,
      claimCheck,
      scheduler: true,
      fifo,
    });
  const orders = endpoint('Orders', false);
  const billing = endpoint('Billing', true);
  orders.sendsTo(billing);
  orders.publishesTo(new Topic(stack, 'Announcements'));
  orders.subscribesTo(new Topic(stack, 'Shop'), { messageTypes: ['Placed'] });
  orders.subscribesTo(new EventBus(stack, 'Bus'), { messageTypes: ['Paid'] });
  const functions = [inlineFunction(stack, 'PlaceOrder')];
  const api = new SendOnlyEndpoint(stack, 'Api', { outboxTable, claimCheck, scheduler: true, functions });
  api.sendsTo(orders);
  new OutboxRelay(stack, 'Relay', { endpoints: [orders, api] });
}

describe('the validation of templates by the CDK', () => {
  it('finds nothing wrong with what the constructs declare', () => {
    const stack = validatedStack();
    everything(stack);
    expect(findingsIn(stack)).toEqual([]);
  });

  it('finds nothing wrong with the app of the deployment proof', () => {
    const context = { ...validated, 'aws:cdk:bundling-stacks': [], updated: true };
    expect(findingsIn(proofApp({ context, outdir: inFolder('proof') }))).toEqual([]);
  });

  it('finds a wrong value', () => {
    const stack = validatedStack();
    new CfnQueue(stack, 'Wrong', { visibilityTimeout: 43_201 });
    expect(() => findingsIn(stack)).toThrow(/VisibilityTimeout/);
  });
});
