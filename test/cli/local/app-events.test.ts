import { beforeEach, describe, expect, it } from '@jest/globals';
import { SagaboxError } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { AppObserver } from '../../../lib/cli/local/app-events.ts';
import { modelResources } from '../../../lib/local/app/resources/model.ts';
import { exitError, functionErrorOf } from '../../../lib/local/lambda/function-error.ts';
import type { InvocationOutcome } from '../../../lib/local/lambda/function-instance.ts';

const Variables = { SAGABOX_ENDPOINT: 'orders', SAGABOX_ERROR_QUEUE: 'http://queues/000000000000/errors' };
const Resources = {
  OrdersQueue: { Type: 'AWS::SQS::Queue' },
  Orders: { Type: 'AWS::Lambda::Function', Properties: { Environment: { Variables } } },
  Plain: { Type: 'AWS::Lambda::Function' },
  OrdersEvents: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { EventSourceArn: { 'Fn::GetAtt': ['OrdersQueue', 'Arn'] }, FunctionName: { Ref: 'Orders' } },
  },
};
const stack = { name: 'Shop', template: { Resources }, nestedTemplates: [], assetPaths: new Map() };
let observer: AppObserver;

beforeEach(() => {
  observer = new AppObserver();
  observer.resources = modelResources([stack], 'http://queues').resources;
});

const record = (id: string) => ({
  ...sqsRecord({ type: 'OrderPlaced', body: {}, id }),
  messageId: `sqs-${id}`,
});

function invoked(acknowledged: string[], outcome: InvocationOutcome = { kind: 'result', result: null }) {
  const records = ['a', 'b'].map(record);
  const acknowledgedMessageIds = acknowledged.map((id) => `sqs-${id}`);
  return observer.invoked({ functionName: 'Shop-Orders', records, outcome, acknowledgedMessageIds });
}

function send(functionName: string, queue: string, id: string) {
  const MessageAttributes = { 'Sagabox.MessageId': { StringValue: id } };
  const request = { QueueUrl: `http://queues/000000000000/${queue}`, MessageBody: '{}', MessageAttributes };
  const call = { instanceId: 'i', functionName, service: 'sqs', operation: 'SendMessage', request } as const;
  return observer.called(call, { status: 200, body: {} });
}

describe('what happens in a local app', () => {
  it('is told of the endpoint, message by message', () => {
    expect(invoked(['a'])).toEqual([
      { event: 'handled', at: 'orders', id: 'a', type: 'OrderPlaced', deliveries: 1 },
      { event: 'failed', at: 'orders', id: 'b', type: 'OrderPlaced', deliveries: 1 },
    ]);
    expect(invoked([], { kind: 'died', error: exitError('gone') })).toMatchObject([
      { reason: 'gone' },
      { reason: 'gone' },
    ]);
  });

  it('tells what the messages of a batch failed with, not that all of them did', () => {
    const error = new SagaboxError('BatchFailed', { failed: 2, failures: ['TypeError', 'LockTimeout'] });
    expect(invoked([], { kind: 'error', error: functionErrorOf(error) })).toMatchObject([
      { reason: 'TypeError; LockTimeout' },
      { reason: 'TypeError; LockTimeout' },
    ]);
  });

  it('takes a message that is moved to the error queue for a failed one, once', () => {
    expect(send('Shop-Orders', 'errors', 'a')).toEqual([]);
    expect(invoked(['a', 'b'])).toMatchObject([
      { event: 'failed', id: 'a', movedTo: 'errors' },
      { event: 'handled', id: 'b', movedTo: undefined },
    ]);
    expect(invoked(['a', 'b'])).toMatchObject([{ event: 'handled', id: 'a' }, { event: 'handled' }]);
    expect(send('Shop-Plain', 'errors', 'a')).toMatchObject([{ event: 'sent', at: 'Plain', to: 'errors' }]);
  });

  it('names the endpoint that a queue feeds', () => {
    expect(send('Shop-Plain', 'Shop-OrdersQueue', 'a')).toMatchObject([{ to: 'orders' }]);
  });

  it('has the invocations without messages that failed, and no metrics', () => {
    const error = { errorType: 'Error', errorMessage: 'a bug', trace: ['Error: a bug', '    at x'] };
    const scheduled = { functionName: 'Shop-Plain', records: [], acknowledgedMessageIds: [] };
    expect(observer.invoked({ ...scheduled, outcome: { kind: 'result', result: null } })).toEqual([]);
    expect(observer.invoked({ ...scheduled, outcome: { kind: 'error', error } })).toEqual([
      { event: 'invocationFailed', at: 'Plain', reason: 'Error: a bug\n    at x' },
    ]);
    const line = { functionName: 'Shop-Orders', instanceId: 'i', line: '{}' };
    expect(observer.wrote({ ...line, kind: 'metrics' })).toEqual([]);
    expect(observer.wrote({ ...line, kind: 'log' })).toEqual([{ event: 'log', at: 'orders', line: '{}' }]);
  });
});
