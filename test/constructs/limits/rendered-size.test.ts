import { describe, expect, it } from '@jest/globals';
import { App, Aws, CfnParameter, Fn, Lazy, Stack } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { policyBytes, rendered, textBytes } from '../../../lib/constructs/limits/rendered-size.ts';

const account = '111111111111';
const name = 'n'.repeat(80);
const queueArn = `arn:aws:sqs:ap-southeast-1:${account}:${name}`;
const queueUrl = `https://sqs.ap-southeast-1.amazonaws.com/${account}/${name}`;

/** With the same name for each resource: what stands for one made at deployment begins with the address of its construct. */
function withOneName(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{42}n{38}/g, name));
}

const newStack = () => new Stack(new App(), 'Orders');

describe('a rendered value', () => {
  it.each<[string, (stack: Stack) => unknown, unknown]>([
    ['a name made at deployment', (stack) => new Queue(stack, 'Q').queueName, name],
    ['the ARN of a queue', (stack) => new Queue(stack, 'Q').queueArn, queueArn],
    ['the URL of a queue', (stack) => new Queue(stack, 'Q').queueUrl, queueUrl],
    [
      'the ARN of a queue with a name',
      (stack) => new Queue(stack, 'Q', { queueName: 'orders' }).queueArn,
      `arn:aws:sqs:ap-southeast-1:${account}:orders`,
    ],
    ['a topic', (stack) => new Topic(stack, 'T').topicArn, `arn:aws:sns:ap-southeast-1:${account}:${name}`],
    [
      'an event bus',
      (stack) => new EventBus(stack, 'B').eventBusArn,
      `arn:aws:events:ap-southeast-1:${account}:event-bus/${name}`,
    ],
    ['a table', (stack) => new Table(stack, 'T', { partitionKey: pk }).tableName, name],
    ['a key', (stack) => new Key(stack, 'K').keyArn, expect.stringMatching(/:key\/[0-9a-f-]{36}$/)],
    ['a parameter of the template', (stack) => new CfnParameter(stack, 'P').valueAsString, name],
    ['account and region', () => `${Aws.ACCOUNT_ID}.${Aws.REGION}`, `${account}.ap-southeast-1`],
    ['a part of a text', (stack) => `url=${new Queue(stack, 'Q').queueUrl};`, `url=${queueUrl};`],
    ['a part of a list', (stack) => [{ a: new Queue(stack, 'Q').queueName }, 7], [{ a: name }, 7]],
    [
      'JSON that is made at deployment',
      (stack) => stack.toJsonString({ url: new Queue(stack, 'Q').queueUrl, count: 2 }),
      `{"url":"${queueUrl}","count":2}`,
    ],
    ['what is known at synth only', () => Lazy.string({ produce: () => 'late' }), 'late'],
    ['a piece of a value', (stack) => Fn.select(5, Fn.split(':', new Queue(stack, 'Q').queueArn)), name],
    ['an import of unknown length', () => Fn.importValue('Other'), 'u'.repeat(160)],
  ])('replaces %s', (_, valueIn, expected) => {
    const stack = newStack();
    expect(withOneName(rendered(stack, valueIn(stack)))).toEqual(expected);
  });

  it('has another name for each resource, which a policy would name once', () => {
    const stack = newStack();
    const of = (id: string) => rendered(stack, new Queue(stack, id).queueArn);
    expect(of('A')).not.toEqual(of('B'));
    expect(rendered(stack, new Key(stack, 'K').keyArn)).not.toEqual(
      rendered(stack, new Key(stack, 'L').keyArn),
    );
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('replaces what belongs to another stack, %s synth has resolved the references', (_, isSynthesized) => {
    const app = new App();
    const queue = new Queue(new Stack(app, 'Billing'), 'Q');
    const stack = new Stack(app, 'Orders');
    const json = stack.toJsonString({ arn: queue.queueArn });
    new CfnParameter(stack, 'P', { default: json });
    if (isSynthesized) app.synth();
    expect(withOneName(rendered(stack, [queue.queueArn, json]))).toEqual([queueArn, `{"arn":"${queueArn}"}`]);
  });
});

describe('the size', () => {
  it('of a policy leaves white space out, and leaves the document open', () => {
    const stack = newStack();
    const document = new PolicyDocument();
    const queue = new Queue(stack, 'Q');
    const statement = { actions: ['sqs:SendMessage'], resources: [queue.queueArn], sid: 'A b' };
    document.addStatements(new PolicyStatement(statement));
    const json =
      '{"Statement":[{"Action":"sqs:SendMessage","Effect":"Allow",' +
      `"Resource":"${queueArn}","Sid":"Ab"}],"Version":"2012-10-17"}`;
    expect(policyBytes(stack, document.toJSON())).toBe(json.length);
    document.addStatements(new PolicyStatement({ ...statement, sid: 'Other' }));
    expect(policyBytes(stack, document.toJSON())).toBeGreaterThan(json.length);
  });

  it('of a text is in bytes of UTF-8, with white space; of another value that of its JSON', () => {
    const stack = newStack();
    expect(textBytes(stack, `ü ${Aws.ACCOUNT_ID}`)).toBe(15);
    expect(textBytes(stack, { a: Aws.ACCOUNT_ID })).toBe('{"a":"111111111111"}'.length);
  });
});

const pk = { name: 'PK', type: 'S' } as never;
