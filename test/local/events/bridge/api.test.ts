import { randomUUID } from 'node:crypto';
import {
  CreateEventBusCommand,
  DeleteEventBusCommand,
  ListRulesCommand,
  PutEventsCommand,
  type PutEventsRequestEntry,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from '@jest/globals';
import { createQueue, eventBridgeClient, sqsClient } from '../../../support/engines.ts';
import { createEventBus, createRule, queueArnOf } from '../../../support/event-resources.ts';
import { receiveMessages } from '../../../support/received-records.ts';

const eventBridge = eventBridgeClient();
const sqs = sqsClient();

const orderPlaced = { Source: 'shop', DetailType: 'OrderPlaced', Detail: '{"orderId":"1"}' };

async function put(...entries: PutEventsRequestEntry[]) {
  return eventBridge.send(new PutEventsCommand({ Entries: entries }));
}

const received = (queueUrl: string) => receiveMessages(sqs, queueUrl);

async function busWithQueue(pattern: object = { source: ['shop'] }) {
  const [bus, queueUrl] = [await createEventBus(), await createQueue()];
  await createRule(bus, pattern, queueUrl);
  return { bus, queueUrl };
}

describe('the local EventBridge', () => {
  it('delivers the whole event to the queue of a rule', async () => {
    const { bus, queueUrl } = await busWithQueue();
    const { FailedEntryCount: failed, Entries: [entry] = [] } = await put({
      ...orderPlaced,
      EventBusName: bus,
      Time: new Date('2026-02-03T04:05:06Z'),
      Resources: ['order/1'],
    });
    expect(failed).toBe(0);
    const bodies = (await received(queueUrl)).map(({ Body: body = '' }) => JSON.parse(body));
    expect(bodies).toEqual([
      {
        version: '0',
        id: entry?.EventId,
        'detail-type': 'OrderPlaced',
        source: 'shop',
        account: '000000000000',
        time: '2026-02-03T04:05:06Z',
        region: 'us-east-1',
        resources: ['order/1'],
        detail: { orderId: '1' },
      },
    ]);
  });

  it('dates an event that names no time', async () => {
    const { bus, queueUrl } = await busWithQueue();
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    await put({ ...orderPlaced, EventBusName: bus });
    const { time } = JSON.parse((await received(queueUrl))[0]?.Body ?? '{}');
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
  });

  it('delivers only what the pattern matches, and only of its own bus', async () => {
    const { bus, queueUrl } = await busWithQueue({ detail: { total: [{ numeric: ['>', 10] }] } });
    const other = await createEventBus();
    await put(
      { ...orderPlaced, EventBusName: bus, Detail: '{"total":10}' },
      { ...orderPlaced, EventBusName: bus, Detail: '{"total":11}' },
      { ...orderPlaced, EventBusName: other, Detail: '{"total":12}' },
    );
    const bodies = (await received(queueUrl)).map(({ Body: body = '' }) => JSON.parse(body));
    expect(bodies.map(({ detail }) => detail.total)).toEqual([11]);
  });

  it('has a default bus', async () => {
    const [source, queueUrl] = [`test-${randomUUID()}`, await createQueue()];
    await createRule('default', { source: [source] }, queueUrl);
    await put({ ...orderPlaced, Source: source });
    expect(await received(queueUrl)).toHaveLength(1);
  });

  it('delivers to a FIFO queue with the group of the target', async () => {
    const bus = await createEventBus();
    const queueUrl = await createQueue({ FifoQueue: 'true', ContentBasedDeduplication: 'true' });
    await createRule(bus, { source: ['shop'] }, queueUrl, { MessageGroupId: 'orders' });
    await put({ ...orderPlaced, EventBusName: bus });
    expect((await received(queueUrl))[0]?.Attributes?.MessageGroupId).toBe('orders');
  });

  it.each<[string, PutEventsRequestEntry]>([
    ['InvalidArgument', { ...orderPlaced, Source: undefined }],
    ['InvalidArgument', { ...orderPlaced, DetailType: undefined }],
    ['InvalidArgument', { ...orderPlaced, Detail: undefined }],
    ['MalformedDetail', { ...orderPlaced, Detail: '{' }],
    ['MalformedDetail', { ...orderPlaced, Detail: '[1]' }],
    ['MalformedDetail', { ...orderPlaced, Detail: '"text"' }],
    ['NotAuthorizedForSourceException', { ...orderPlaced, Source: 'aws.s3' }],
    ['ResourceNotFoundException', { ...orderPlaced, EventBusName: 'no-such-bus' }],
  ])('refuses with %s the one entry %j', async (code, entry) => {
    const { bus, queueUrl } = await busWithQueue();
    const { FailedEntryCount: failed, Entries: entries } = await put(
      { EventBusName: bus, ...entry },
      { ...orderPlaced, EventBusName: bus },
    );
    expect(failed).toBe(1);
    expect(entries).toEqual([
      { ErrorCode: code, ErrorMessage: expect.any(String) },
      { EventId: expect.any(String) },
    ]);
    expect(await received(queueUrl)).toHaveLength(1);
  });

  it.each([
    [10, 'taken'],
    [11, 'refused'],
  ])('has %i entries of one call %s', async (count, result) => {
    const isTaken = result === 'taken';
    const { bus, queueUrl } = await busWithQueue();
    const call = put(...Array(count).fill({ ...orderPlaced, EventBusName: bus }));
    await (isTaken
      ? expect(call).resolves.toMatchObject({ FailedEntryCount: 0 })
      : expect(call).rejects.toMatchObject({ name: 'ValidationException' }));
    expect(await received(queueUrl)).toHaveLength(isTaken ? 10 : 0);
  });

  it.each([
    [1_024 * 1_024, 'taken'],
    [1_024 * 1_024 + 1, 'refused'],
  ])('has %i bytes of one call %s', async (bytes, result) => {
    const isTaken = result === 'taken';
    const detail = (length: number): string => JSON.stringify({ padding: 'x'.repeat(length) });
    const overhead = detail(0).length + orderPlaced.Source.length + orderPlaced.DetailType.length;
    const call = put({ ...orderPlaced, Detail: detail(bytes - overhead) });
    await (isTaken
      ? expect(call).resolves.toMatchObject({ FailedEntryCount: 0 })
      : expect(call).rejects.toMatchObject({ name: 'ValidationException' }));
  });

  it('knows a bus no more that was deleted, and creates none twice', async () => {
    const name = `test-${randomUUID()}`;
    const create = () => eventBridge.send(new CreateEventBusCommand({ Name: name }));
    await create();
    await expect(create()).rejects.toMatchObject({ name: 'ResourceAlreadyExistsException' });
    await eventBridge.send(new DeleteEventBusCommand({ Name: name }));
    expect((await put({ ...orderPlaced, EventBusName: name })).FailedEntryCount).toBe(1);
  });

  it('says what it does not play', async () => {
    const { bus, queueUrl } = await busWithQueue();
    const rule = { Name: 'rule', EventBusName: bus };
    const putTarget = (target: object) =>
      eventBridge.send(
        new PutTargetsCommand({
          Rule: 'rule',
          EventBusName: bus,
          Targets: [{ Id: 'x', Arn: '', ...target }],
        }),
      );
    await eventBridge.send(new PutRuleCommand({ ...rule, EventPattern: '{"source":["a"]}' }));
    const putRule = (pattern?: string) =>
      eventBridge.send(new PutRuleCommand({ ...rule, EventPattern: pattern }));
    await expect(putTarget({ Arn: 'arn:aws:lambda:us-east-1:000000000000:function:f' })).rejects.toThrow(
      /queue/,
    );
    await expect(putTarget({ Arn: queueArnOf(queueUrl), InputPath: '$.detail' })).rejects.toThrow(
      /InputPath/,
    );
    await expect(putRule()).rejects.toThrow(/EventPattern/);
    await expect(putRule('{"source":[{"cidr":"10.0.0.0/8"}]}')).rejects.toMatchObject({
      name: 'InvalidEventPatternException',
    });
    await expect(putRule('{')).rejects.toMatchObject({ name: 'InvalidEventPatternException' });
    await expect(eventBridge.send(new ListRulesCommand({}))).rejects.toThrow(/does not play ListRules/);
  });
});
