import { describe, expect, it } from '@jest/globals';
import { describeCall, type WireRequest } from '../../../lib/local/proxy/call-description.ts';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';

function described(service: ProxiedCall['service'], request: Partial<WireRequest>, body = '') {
  return describeCall(service, {
    method: 'POST',
    path: '/',
    target: undefined,
    ...request,
    body: Buffer.from(body),
  });
}

describe('the description of a call', () => {
  it.each<[ProxiedCall['service'], string, string]>([
    ['dynamodb', 'DynamoDB_20120810.PutItem', 'PutItem'],
    ['sqs', 'AmazonSQS.SendMessageBatch', 'SendMessageBatch'],
    ['eventbridge', 'AWSEvents.PutEvents', 'PutEvents'],
  ])('of %s has the operation of the target %s', (service, target, operation) => {
    expect(described(service, { target }, '{"A":1}')).toEqual({ operation, request: { A: 1 } });
  });

  it('of SNS has the action and the fields of the form', () => {
    const body = 'Action=Publish&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A0%3At&Message=a+b';
    expect(described('sns', {}, body)).toEqual({
      operation: 'Publish',
      request: { Action: 'Publish', TopicArn: 'arn:aws:sns:us-east-1:0:t', Message: 'a b' },
    });
  });

  it.each([
    ['PUT', '/bucket/claims/a%20b?x-id=PutObject', 'PutObject', { Bucket: 'bucket', Key: 'claims/a b' }],
    ['GET', '/bucket/key?x-id=GetObject', 'GetObject', { Bucket: 'bucket', Key: 'key' }],
    ['HEAD', '/bucket/key', 'HeadObject', { Bucket: 'bucket', Key: 'key' }],
    ['DELETE', '/bucket/key', 'DeleteObject', { Bucket: 'bucket', Key: 'key' }],
    ['HEAD', '/bucket', 'HeadBucket', { Bucket: 'bucket' }],
    ['POST', '/bucket/?delete=', 'POST', { Bucket: 'bucket' }],
  ])('of S3 by %s %s', (method, path, operation, request) => {
    expect(described('s3', { method, path }, 'not JSON')).toEqual({ operation, request });
  });

  it.each([
    ['POST', '/schedules/a.b', 'CreateSchedule', { GroupName: 'body', Name: 'a.b' }],
    ['DELETE', '/schedules/a?groupName=g', 'DeleteSchedule', { Name: 'a', GroupName: 'g' }],
    ['GET', '/schedules/a?groupName=g', 'GetSchedule', { Name: 'a', GroupName: 'g' }],
    ['POST', '/schedule-groups/g', 'CreateScheduleGroup', { GroupName: 'body', Name: 'g' }],
  ])('of the scheduler by %s %s', (method, path, operation, request) => {
    const body = method === 'POST' ? '{"GroupName":"body"}' : '';
    expect(described('scheduler', { method, path }, body)).toEqual({ operation, request });
  });

  it.each([
    ['POST', '/2015-03-31/functions/orders/invocations', 'Invoke', { FunctionName: 'orders' }],
    ['GET', '/2015-03-31/event-source-mappings/a-b', 'GetEventSourceMapping', { UUID: 'a-b' }],
  ])('of Lambda by %s %s', (method, path, operation, request) => {
    expect(described('lambda', { method, path }, '')).toEqual({ operation, request });
  });
});
