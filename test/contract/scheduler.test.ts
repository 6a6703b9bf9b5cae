import { CreateScheduleGroupCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterEach, describe } from '@jest/globals';
import { type EventEmulator, startEventEmulator } from '../../lib/local/events/emulator.ts';
import type { QueueDestination } from '../../lib/messages/destinations/destination.ts';
import { EventBridgeScheduler } from '../../lib/sending/schedules/schedules.scheduler.ts';
import { MemoryScheduler } from '../../lib/testing/memory/scheduler.ts';
import { createQueue, sqsClient } from '../support/engines.ts';
import { scheduleRoleArn } from '../support/event-resources.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { type ArrivedMessage, drain } from '../support/queue.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeScheduler, type SchedulerSubject } from './scheduler.ts';

const sqs = sqsClient();
const opened: { emulator: EventEmulator; client: SchedulerClient }[] = [];

afterEach(async () => {
  for (const { emulator, client } of opened.splice(0)) {
    client.destroy();
    await emulator.stop();
  }
});

const destinationOf = (queueUrl: string): QueueDestination => ({
  kind: 'queue',
  name: 'billing',
  queueUrl,
  fifo: false,
});

/** An emulator of its own: its clock jumps. */
async function openEventBridgeScheduler(): Promise<SchedulerSubject> {
  const emulator = await startEventEmulator({ sqsEndpoint: process.env.SAGABOX_TEST_SQS_ENDPOINT ?? '' });
  const client = new SchedulerClient({
    endpoint: emulator.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  opened.push({ emulator, client });
  await client.send(new CreateScheduleGroupCommand({ Name: 'sagabox' }));
  const queueUrl = await createQueue();
  const now = () => new Date();
  const clock = { now, sleep: () => Promise.reject(new Error('It needs no sleep')) };
  const settings = { groupName: 'sagabox', roleArn: scheduleRoleArn, clock, loadClient: async () => client };
  return {
    scheduler: new EventBridgeScheduler(settings),
    destination: destinationOf(queueUrl),
    now,
    pass: async (durationMs) => {
      const waiting = emulator.schedules().length;
      emulator.advanceClock(durationMs);
      const sent = waiting - emulator.schedules().length;
      const arrived: ArrivedMessage[] = [];
      await waitUntil(async () => {
        arrived.push(...(await drain(sqs, queueUrl)));
        return arrived.length >= sent;
      });
      return arrived;
    },
  };
}

async function openMemory(): Promise<SchedulerSubject> {
  const clock = new MovingClock();
  const scheduler = new MemoryScheduler();
  return {
    scheduler,
    destination: destinationOf('https://sqs.us-east-1.amazonaws.com/000000000000/billing'),
    now: () => clock.now(),
    pass: async (durationMs) => {
      clock.pass(durationMs);
      return scheduler.due(clock.now()).map(({ message: { id, type, body } }) => ({ id, type, body }));
    },
  };
}

describe.each([
  ['on EventBridge Scheduler', openEventBridgeScheduler],
  ['in memory', openMemory],
])('schedules %s', (_where, open) => describeScheduler(open));
