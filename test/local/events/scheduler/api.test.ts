import { randomUUID } from 'node:crypto';
import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  ResourceNotFoundException,
  SchedulerClient,
  ValidationException,
} from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventEmulator, startEventEmulator } from '../../../../lib/local/events/emulator.ts';
import type { UndeliveredMessage } from '../../../../lib/local/events/queue-sender.ts';
import { clientAt, createQueue, sqsClient } from '../../../support/engines.ts';
import { scheduleRoleArn } from '../../../support/event-resources.ts';
import { isListening } from '../../../support/processes.ts';
import { receiveMessages } from '../../../support/received-records.ts';
import { waitUntil } from '../../../support/wait-until.ts';

const sqs = sqsClient();
const hourMs = 3_600_000;
const undelivered: UndeliveredMessage[] = [];
let emulator: EventEmulator;
let scheduler: SchedulerClient;

async function startEmulator(): Promise<[EventEmulator, SchedulerClient]> {
  const started = await startEventEmulator({
    sqsEndpoint: process.env.SAGABOX_TEST_SQS_ENDPOINT ?? '',
    onUndelivered: (message) => undelivered.push(message),
  });
  return [started, clientAt(SchedulerClient, started.endpoint)];
}

beforeAll(async () => {
  [emulator, scheduler] = await startEmulator();
});

afterAll(() => emulator.stop());

/** The expression of a time so far from now. */
function atIn(delayMs: number): string {
  return `at(${new Date(Date.now() + delayMs).toISOString().slice(0, 19)})`;
}

/** A schedule that sends `body` to a queue. */
function scheduleFor(queueUrl: string, body: string, delayMs: number): CreateScheduleCommandInput {
  return {
    Name: `test-${randomUUID()}`,
    ScheduleExpression: atIn(delayMs),
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: {
      Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage',
      RoleArn: scheduleRoleArn,
      Input: JSON.stringify({
        QueueUrl: queueUrl,
        MessageBody: body,
        MessageAttributes: { Kind: { DataType: 'String', StringValue: 'timeout' } },
      }),
    },
  };
}

function create(schedule: CreateScheduleCommandInput) {
  return scheduler.send(new CreateScheduleCommand(schedule));
}

const receive = (queueUrl: string, waitTimeSeconds = 0) => receiveMessages(sqs, queueUrl, waitTimeSeconds);

describe('the local scheduler', () => {
  it('sends when the clock of the queues comes to the time of a schedule, once, and deletes it', async () => {
    const queueUrl = await createQueue();
    const schedule = scheduleFor(queueUrl, 'late', 2 * hourMs);
    await create(schedule);
    emulator.advanceClock(2 * hourMs - 60_000);
    expect(emulator.schedules()).toEqual([
      {
        name: schedule.Name,
        groupName: 'default',
        dueAt: new Date(`${schedule.ScheduleExpression?.slice(3, -1)}Z`),
        dueInSeconds: expect.closeTo(60, -2),
      },
    ]);
    expect(await receive(queueUrl)).toEqual([]);
    emulator.advanceClock(60_000);
    expect(await receive(queueUrl, 5)).toEqual([
      expect.objectContaining({
        Body: 'late',
        MessageAttributes: { Kind: { DataType: 'String', StringValue: 'timeout' } },
      }),
    ]);
    emulator.advanceClock(24 * hourMs);
    expect(await receive(queueUrl)).toEqual([]);
    expect(emulator.schedules()).toEqual([]);
    await expect(scheduler.send(new GetScheduleCommand({ Name: schedule.Name }))).rejects.toThrow(
      ResourceNotFoundException,
    );
  });

  it('counts the time from now, also when the clock of the queues is ahead', async () => {
    const queueUrl = await createQueue();
    emulator.advanceClock(10 * hourMs);
    await create(scheduleFor(queueUrl, 'late', hourMs));
    expect(emulator.schedules()).toEqual([
      expect.objectContaining({ dueInSeconds: expect.closeTo(3_600, -2) }),
    ]);
    emulator.advanceClock(hourMs);
    expect(await receive(queueUrl, 5)).toHaveLength(1);
  });

  it('sends at once when the time has passed', async () => {
    const queueUrl = await createQueue();
    await create(scheduleFor(queueUrl, 'overdue', -hourMs));
    expect(await receive(queueUrl, 5)).toHaveLength(1);
  });

  it('sends to the queue of that name, whatever host its URL has, and to FIFO queues with their group', async () => {
    const queueUrl = await createQueue({ FifoQueue: 'true' });
    const proxied = `http://127.0.0.1:1/000000000000/${queueUrl.split('/').at(-1)}`;
    const schedule = scheduleFor(proxied, 'late', hourMs);
    const message = {
      QueueUrl: proxied,
      MessageBody: 'ordered',
      MessageGroupId: 'group',
      MessageDeduplicationId: 'id',
    };
    await create({ ...schedule, Target: { ...schedule.Target, Input: JSON.stringify(message) } as never });
    emulator.advanceClock(hourMs);
    const [received] = await receive(queueUrl, 5);
    expect(received?.Attributes).toMatchObject({ MessageGroupId: 'group', MessageDeduplicationId: 'id' });
  });

  it('says when a queue does not take the message', async () => {
    await create(scheduleFor('http://127.0.0.1/000000000000/no-such-queue', 'late', -hourMs));
    await waitUntil(() => undelivered.length > 0);
    expect(undelivered).toEqual([
      {
        queue: 'http://127.0.0.1/000000000000/no-such-queue',
        reason: expect.stringContaining('QueueDoesNotExist'),
      },
    ]);
  });

  it('creates a schedule once, and takes the very same call again', async () => {
    const schedule = { ...scheduleFor(await createQueue(), 'late', hourMs), ClientToken: 'token' };
    const first = await create(schedule);
    expect((await create(schedule)).ScheduleArn).toBe(first.ScheduleArn);
    await expect(create({ ...schedule, ClientToken: 'other' })).rejects.toThrow(ConflictException);
    await expect(create({ ...schedule, ClientToken: undefined })).rejects.toThrow(ConflictException);
    await scheduler.send(new DeleteScheduleCommand({ Name: schedule.Name }));
  });

  it('keeps a schedule that is not to be deleted, without sending again', async () => {
    const queueUrl = await createQueue();
    const schedule = scheduleFor(queueUrl, 'late', hourMs);
    await create({ ...schedule, ActionAfterCompletion: 'NONE' });
    emulator.advanceClock(hourMs);
    expect(await receive(queueUrl, 5)).toHaveLength(1);
    expect(emulator.schedules()).toEqual([]);
    const { Arn: arn } = await scheduler.send(new GetScheduleCommand({ Name: schedule.Name }));
    expect(arn).toBe(`arn:aws:scheduler:us-east-1:000000000000:schedule/default/${schedule.Name}`);
    await expect(create(schedule)).rejects.toThrow(ConflictException);
  });

  it('keeps the schedules of groups apart', async () => {
    const queueUrl = await createQueue();
    const groupName = `test-${randomUUID()}`;
    await scheduler.send(new CreateScheduleGroupCommand({ Name: groupName }));
    await expect(scheduler.send(new CreateScheduleGroupCommand({ Name: groupName }))).rejects.toThrow(
      ConflictException,
    );
    const schedule = scheduleFor(queueUrl, 'late', hourMs);
    await create({ ...schedule, GroupName: groupName });
    await create(schedule);
    await scheduler.send(new DeleteScheduleCommand({ Name: schedule.Name }));
    await expect(scheduler.send(new DeleteScheduleCommand({ Name: schedule.Name }))).rejects.toThrow(
      ResourceNotFoundException,
    );
    const got = await scheduler.send(new GetScheduleCommand({ Name: schedule.Name, GroupName: groupName }));
    expect(got).toMatchObject({
      Name: schedule.Name,
      GroupName: groupName,
      State: 'ENABLED',
      ScheduleExpression: schedule.ScheduleExpression,
      ActionAfterCompletion: 'DELETE',
      Target: schedule.Target,
    });
    emulator.advanceClock(hourMs);
    expect(await receive(queueUrl, 5)).toHaveLength(1);
    expect(await receive(queueUrl)).toEqual([]);
  });

  it('does not know a group that was not created', async () => {
    const schedule = scheduleFor(await createQueue(), 'late', hourMs);
    await expect(create({ ...schedule, GroupName: 'no-such-group' })).rejects.toThrow(
      ResourceNotFoundException,
    );
  });

  it.each<[string, (schedule: CreateScheduleCommandInput) => object]>([
    ['a name of 65 characters', () => ({ Name: 'n'.repeat(65) })],
    ['a name with a space', () => ({ Name: 'a b' })],
    ['a day that is not', () => ({ ScheduleExpression: 'at(2026-02-30T00:00:00)' })],
    ['a rate', () => ({ ScheduleExpression: 'rate(5 minutes)' })],
    ['another time zone', () => ({ ScheduleExpressionTimezone: 'Europe/Zurich' })],
    ['a flexible window', () => ({ FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 } })],
    ['a disabled schedule', () => ({ State: 'DISABLED' })],
    ['a start', () => ({ StartDate: new Date() })],
    ['no role', ({ Target: target }) => ({ Target: { ...target, RoleArn: 'not-run-locally' } })],
    [
      'another target',
      ({ Target: target }) => ({ Target: { ...target, Arn: 'arn:aws:sqs:us-east-1:000000000000:q' } }),
    ],
    ['no JSON', ({ Target: target }) => ({ Target: { ...target, Input: 'hello' } })],
    ['no message', ({ Target: target }) => ({ Target: { ...target, Input: '{"QueueUrl":"q"}' } })],
  ])('refuses %s', async (_, change) => {
    const schedule = scheduleFor('http://127.0.0.1/000000000000/q', 'late', hourMs);
    await expect(create({ ...schedule, ...change(schedule) })).rejects.toThrow(ValidationException);
    expect(emulator.schedules()).toEqual([]);
  });

  it.each([
    [256 * 1_024, 'taken'],
    [256 * 1_024 + 1, 'refused'],
  ])('has an input of %i bytes %s', async (bytes, result) => {
    const isTaken = result === 'taken';
    const input = (length: number): string =>
      JSON.stringify({ QueueUrl: 'q', MessageBody: 'x'.repeat(length) });
    const schedule = scheduleFor('q', 'late', hourMs);
    const target = { ...schedule.Target, Input: input(bytes - input(0).length) };
    const created = create({ ...schedule, Name: `size-${bytes}`, Target: target as never });
    await (isTaken
      ? expect(created).resolves.toMatchObject({ ScheduleArn: expect.any(String) })
      : expect(created).rejects.toThrow(ValidationException));
    if (isTaken) await scheduler.send(new DeleteScheduleCommand({ Name: `size-${bytes}` }));
  });

  it('says what it does not play', async () => {
    await expect(scheduler.send(new ListSchedulesCommand({}))).rejects.toThrow(/does not play GET/);
  });

  it('leaves no port and no timer behind when it is stopped', async () => {
    const [other, client] = await startEmulator();
    const queueUrl = await createQueue();
    await client.send(new CreateScheduleCommand(scheduleFor(queueUrl, 'late', hourMs)));
    expect(await isListening(other.endpoint)).toBe(true);
    await other.stop();
    other.advanceClock(2 * hourMs);
    expect(await isListening(other.endpoint)).toBe(false);
    expect(await receive(queueUrl)).toEqual([]);
  });
});
