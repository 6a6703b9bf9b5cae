import { GetScheduleCommand } from '@aws-sdk/client-scheduler';
import { describe, expect, it } from '@jest/globals';
import type { QueueDestination } from '../../../lib/messages/destinations/destination.ts';
import { EventBridgeScheduler } from '../../../lib/sending/schedules/schedules.scheduler.ts';
import { createQueue, schedulerClient, sqsClient } from '../../support/engines.ts';
import { codeOf, errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { createScheduleGroup, scheduleRoleArn } from '../../support/event-resources.ts';
import { awsError } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { receiveMessages } from '../../support/received-records.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(schedulerClient());
const sqs = sqsClient();

/** The schedules of these tests lie far ahead of the engine's clock, unless a test wants them to fire. */
const now = new Date('2099-01-02T03:04:05.678Z');
const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/billing';
const billing: QueueDestination = { kind: 'queue', name: 'billing', queueUrl, fifo: false };

async function openScheduler(clock = new MovingClock(now), groupName?: string, deadLetterArn?: string) {
  const group = groupName ?? (await createScheduleGroup());
  const target = { groupName: group, roleArn: scheduleRoleArn, deadLetterArn };
  const settings = { ...target, clock, loadClient: async () => client };
  const scheduler = new EventBridgeScheduler(settings);
  const get = (messageId: string) =>
    client.send(new GetScheduleCommand({ Name: `sagabox-${messageId}`, GroupName: group }));
  return { scheduler, get, group };
}

const later = (overrides = {}) => outgoingMessage({ dueAt: '2099-01-02T05:04:05.000Z', ...overrides });

describe('a message that is scheduled', () => {
  it('waits in a schedule that sends it to its queue once, and is deleted then', async () => {
    const { scheduler, get, group } = await openScheduler();
    await scheduler.schedule(later({ body: { text: 'żółw' } }), billing);
    const { Target, ...schedule } = await get('out-1');
    expect(schedule).toMatchObject({
      Name: 'sagabox-out-1',
      GroupName: group,
      ScheduleExpression: 'at(2099-01-02T05:04:05)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
    });
    expect(Target).toMatchObject({
      Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage',
      RoleArn: scheduleRoleArn,
    });
    expect(Target).not.toHaveProperty('RetryPolicy');
    expect(JSON.parse(Target?.Input ?? '')).toEqual({
      QueueUrl: queueUrl,
      MessageBody: '{"text":"żółw"}',
      MessageAttributes: {
        'Sagabox.CausationId': { DataType: 'String', StringValue: 'in-1' },
        'Sagabox.MessageId': { DataType: 'String', StringValue: 'out-1' },
        'Sagabox.MessageType': { DataType: 'String', StringValue: 'ChargeCard' },
      },
    });
  });

  it('goes to the dead letter queue when it cannot be sent, if there is one', async () => {
    const deadLetterArn = 'arn:aws:sqs:us-east-1:000000000000:dead-letters';
    const { scheduler, get } = await openScheduler(undefined, undefined, deadLetterArn);
    await scheduler.schedule(later(), billing);
    expect((await get('out-1')).Target?.DeadLetterConfig).toEqual({ Arn: deadLetterArn });
    const without = await openScheduler();
    await without.scheduler.schedule(later(), billing);
    expect((await without.get('out-1')).Target).not.toHaveProperty('DeadLetterConfig');
  });

  it.each(['<aws.scheduler.scheduled-time>', '\\<aws.scheduler.execution-id>', '\\u003c<<b>ż</b>'])(
    'with the text %j keeps it: nothing in it is to be replaced by EventBridge Scheduler',
    async (text) => {
      const { scheduler, get } = await openScheduler();
      await scheduler.schedule(later({ body: { text }, headers: { 'X-Text': text } }), billing);
      const input = (await get('out-1')).Target?.Input ?? '';
      expect(input).not.toContain('<');
      const { MessageBody, MessageAttributes } = JSON.parse(input);
      expect(JSON.parse(MessageBody)).toEqual({ text });
      expect(MessageAttributes['X-Text'].StringValue).toBe(text);
    },
  );

  it.each([
    ['2099-01-02T05:04:05.000Z', '2099-01-02T05:04:05'],
    ['2099-01-02T05:04:05.001Z', '2099-01-02T05:04:06'],
    ['2099-12-31T23:59:59.999Z', '2100-01-01T00:00:00'],
    ['2099-01-02T07:04:05.000+02:00', '2099-01-02T05:04:05'],
    // Not 10 seconds ahead, or due before: then at the earliest.
    ['2099-01-02T03:04:16.000Z', '2099-01-02T03:04:16'],
    ['2099-01-02T03:04:15.600Z', '2099-01-02T03:04:16'],
    ['2099-01-02T03:04:06.000Z', '2099-01-02T03:04:16'],
    ['2001-01-01T00:00:00.000Z', '2099-01-02T03:04:16'],
    [undefined, '2099-01-02T03:04:16'],
  ])('due at %s is sent at %s', async (dueAt, time) => {
    const { scheduler, get } = await openScheduler();
    const { dueAt: _other, ...message } = later();
    await scheduler.schedule(dueAt === undefined ? message : { ...message, dueAt }, billing);
    expect((await get('out-1')).ScheduleExpression).toBe(`at(${time})`);
  });

  it('to a FIFO queue keeps its group, and its id against copies', async () => {
    const { scheduler, get } = await openScheduler();
    const fifo = { ...billing, queueUrl: `${queueUrl}.fifo`, fifo: true };
    await scheduler.schedule(later({ messageGroupId: 'order-42' }), fifo);
    const { Target } = await get('out-1');
    expect(JSON.parse(Target?.Input ?? '')).toMatchObject({
      MessageGroupId: 'order-42',
      MessageDeduplicationId: 'out-1',
    });
  });

  it('twice waits once, as it was the first time', async () => {
    const { scheduler, get } = await openScheduler();
    await scheduler.schedule(later(), billing);
    await scheduler.schedule(later({ dueAt: '2099-02-02T00:00:00.000Z' }), billing);
    faults.fail('CreateSchedule', awsError('ConflictException'));
    await scheduler.schedule(later(), billing);
    expect((await get('out-1')).ScheduleExpression).toBe('at(2099-01-02T05:04:05)');
  });

  it.each([
    ['its group is being deleted', 'GetScheduleGroup', { State: 'DELETING' }],
    ['its group is gone by now', 'GetScheduleGroup', awsError('ResourceNotFoundException')],
    ['it is gone by now', 'GetSchedule', awsError('ResourceNotFoundException')],
  ])('by a name that is taken while %s is scheduled again later', async (_case, operation, answer) => {
    const { scheduler } = await openScheduler();
    await scheduler.schedule(later(), billing);
    faults.fail('CreateSchedule', awsError('ConflictException'));
    if (answer instanceof Error) faults.fail(operation, answer);
    else faults.answer(operation, answer);
    const error = await sagaboxErrorOf(scheduler.schedule(later(), billing));
    expect(error).toHaveProperty('code', 'DispatchFailed');
    expect(error.cause).toHaveProperty('name', 'ConflictException');
  });

  it('by a name that is taken and may not be read is DispatchRefused', async () => {
    const { scheduler } = await openScheduler();
    faults.fail('CreateSchedule', awsError('ConflictException'));
    faults.fail('GetSchedule', awsError('AccessDeniedException'));
    expect(await codeOf(scheduler.schedule(later(), billing))).toBe('DispatchRefused');
  });

  it.each(['schedule', 'cancel'] as const)('is not waited for once it is aborted, in %s', async (call) => {
    const { scheduler } = await openScheduler();
    const controller = new AbortController();
    const reason = new Error('time is up');
    faults.plan(call === 'cancel' ? 'DeleteSchedule' : 'CreateSchedule', () => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    const { signal } = controller;
    const ended =
      call === 'cancel' ? scheduler.cancel('out-1', signal) : scheduler.schedule(later(), billing, signal);
    expect(await errorOf(ended)).toBe(reason);
  });

  it('arrives in its queue when its time has come', async () => {
    const past = new MovingClock(new Date('2026-01-02T03:04:05.678Z'));
    const { scheduler, get } = await openScheduler(past);
    const destination = { ...billing, queueUrl: await createQueue() };
    await scheduler.schedule(later({ dueAt: '2026-01-02T05:00:00.000Z' }), destination);
    let body: string | undefined;
    await waitUntil(async () => {
      const [message] = await receiveMessages(sqs, destination.queueUrl);
      body = message?.Body;
      return body !== undefined;
    });
    expect(body).toBe('{"orderId":"42"}');
    expect(await errorOf(get('out-1'))).toHaveProperty('name', 'ResourceNotFoundException');
  });
});

describe('a schedule that cannot be created', () => {
  it('for want of its group is DispatchRefused, and names the group', async () => {
    const { scheduler } = await openScheduler(undefined, 'no-such-group');
    const error = await sagaboxErrorOf(scheduler.schedule(later(), billing));
    expect(error).toHaveProperty('code', 'DispatchRefused');
    expect(error.message).toContain("'billing (schedule group no-such-group)'");
    expect(error.cause).toHaveProperty('name', 'ResourceNotFoundException');
  });

  it.each([
    ['ValidationException', 'DispatchRefused'],
    ['AccessDeniedException', 'DispatchRefused'],
    ['ServiceQuotaExceededException', 'DispatchFailed'],
    ['ThrottlingException', 'DispatchFailed'],
    ['InternalServerException', 'DispatchFailed'],
    ['TimeoutError', 'DispatchFailed'],
  ])('by %s is %s', async (name, code) => {
    const { scheduler } = await openScheduler();
    const failure = awsError(name);
    faults.fail('CreateSchedule', failure);
    const error = await sagaboxErrorOf(scheduler.schedule(later(), billing));
    expect(error.code).toBe(code);
    expect(error.cause).toBe(failure);
  });

  it('without a client throws what its load throws', async () => {
    const failure = new Error('not installed');
    const scheduler = new EventBridgeScheduler({
      groupName: 'any',
      roleArn: scheduleRoleArn,
      clock: new MovingClock(now),
      loadClient: () => Promise.reject(failure),
    });
    await expect(scheduler.schedule(later(), billing)).rejects.toBe(failure);
    await expect(scheduler.cancel('out-1')).rejects.toBe(failure);
  });
});

describe('a schedule that is cancelled', () => {
  it('is deleted', async () => {
    const { scheduler, get } = await openScheduler();
    await scheduler.schedule(later(), billing);
    await scheduler.schedule(later({ id: 'out-2' }), billing);
    await scheduler.cancel('out-1');
    expect(await errorOf(get('out-1'))).toHaveProperty('name', 'ResourceNotFoundException');
    expect((await get('out-2')).Name).toBe('sagabox-out-2');
  });

  it('and is not there makes no error', async () => {
    const { scheduler } = await openScheduler();
    await scheduler.cancel('never-scheduled');
    expect(faults.operations).toEqual(['DeleteSchedule']);
  });

  it('in a group that is not there is DispatchRefused, and names the group', async () => {
    const { scheduler } = await openScheduler(undefined, 'no-such-group');
    const error = await sagaboxErrorOf(scheduler.cancel('out-1'));
    expect(error.code).toBe('DispatchRefused');
    expect(error.message).toContain('(schedule group no-such-group)');
    expect(error.message).toContain('Schedule group no-such-group does not exist');
  });

  it('and is called like a group makes no error when it is not there', async () => {
    const { scheduler } = await openScheduler();
    const missing = Object.assign(awsError('ResourceNotFoundException'), {
      message: 'Schedule group-1 does not exist.',
    });
    faults.fail('DeleteSchedule', missing);
    await scheduler.cancel('out-1');
  });

  it.each([
    ['AccessDeniedException', 'DispatchRefused'],
    ['ConflictException', 'DispatchFailed'],
    ['ThrottlingException', 'DispatchFailed'],
    ['InternalServerException', 'DispatchFailed'],
  ])('in vain, by %s, is %s', async (name, code) => {
    const { scheduler, group } = await openScheduler();
    faults.fail('DeleteSchedule', awsError(name));
    const error = await sagaboxErrorOf(scheduler.cancel('out-1'));
    expect(error.code).toBe(code);
    expect(error.message).toContain('out-1');
    expect(error.message).toContain(group);
  });
});
