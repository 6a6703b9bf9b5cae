import { text } from 'node:stream/consumers';
import { aFunction, aNumber, aString, assertOptionKinds } from '../../kernel/checks/checks.ts';
import { startLoopbackServer } from '../engines/loopback-server.ts';
import type { RunningEngine } from '../engines/running-engine.ts';
import { EventBuses } from './bridge/buses.ts';
import { queueSender, type UndeliveredMessage } from './queue-sender.ts';
import { QueueTimers } from './queue-timers.ts';
import { type PendingSchedule, Schedules } from './scheduler/schedules.ts';
import { ServiceError } from './service-error.ts';

export interface EventEmulatorOptions {
  /** The SQS emulator that has the queues of rules and schedules: `endpoint` of `startSqsEmulator`. */
  readonly sqsEndpoint: string;
  /**
   * How many seconds of the queues pass in one real second: give it the `timeScale` of the SQS emulator.
   *
   * @default 1
   */
  readonly timeScale?: number;
  /**
   * Called for each message of a rule or a schedule that its queue did not take. AWS would try for a day, and
   * drop it then.
   *
   * @default none
   */
  readonly onUndelivered?: (undelivered: UndeliveredMessage) => void;
}

const optionChecks = {
  sqsEndpoint: aString,
  timeScale: aNumber,
  onUndelivered: aFunction,
} satisfies Record<keyof Required<EventEmulatorOptions>, unknown>;

/** EventBridge and EventBridge Scheduler, both at `endpoint`. */
export interface EventEmulator extends RunningEngine {
  /** Lets the clock of the queues jump ahead, by milliseconds of that clock. */
  readonly advanceClock: (milliseconds: number) => void;
  /** The schedules that have not sent yet, the next one first. */
  readonly schedules: () => readonly PendingSchedule[];
}

/**
 * Starts a small EventBridge and EventBridge Scheduler in this process, on a free loopback port, for queues
 * of an SQS emulator.
 *
 * EventBridge plays CreateEventBus, DeleteEventBus, PutRule and PutTargets (event patterns, and queues as
 * targets) and PutEvents. Scheduler plays CreateScheduleGroup, CreateSchedule, GetSchedule and
 * DeleteSchedule, of one-time schedules in UTC whose target is `aws-sdk:sqs:sendMessage`. Everything else is
 * refused, and the refusal says so. A schedule whose time has passed already sends at once.
 *
 * @example
 * ```ts
 * import { startEventEmulator, startSqsEmulator } from 'sagabox/local';
 *
 * const sqs = await startSqsEmulator();
 * const events = await startEventEmulator({ sqsEndpoint: sqs.endpoint });
 * // ... new EventBridgeClient({ endpoint: events.endpoint }), and a SchedulerClient with the same endpoint
 * await events.stop();
 * await sqs.stop();
 * ```
 */
export async function startEventEmulator(options: EventEmulatorOptions): Promise<EventEmulator> {
  assertOptionKinds('startEventEmulator', options, optionChecks, { page: 'docs/reference/engines.md' });
  const timers = new QueueTimers(options.timeScale ?? 1);
  const send = queueSender(options.sqsEndpoint, (undelivered) => options.onUndelivered?.(undelivered));
  const buses = new EventBuses(send, () => timers.now());
  const schedules = new Schedules(send, timers);
  const server = await startLoopbackServer(async (incoming, response) => {
    const body = await text(incoming);
    const [service, operation = ''] = String(incoming.headers['x-amz-target'] ?? '').split('.');
    const url = new URL(incoming.url ?? '/', 'http://localhost');
    const isEventBridge = service === 'AWSEvents';
    const contentType = isEventBridge ? 'application/x-amz-json-1.1' : 'application/json';
    try {
      const result = isEventBridge
        ? await buses.call(operation, body)
        : schedules.call(incoming.method ?? '', url, body);
      response.writeHead(200, { 'content-type': contentType }).end(JSON.stringify(result));
    } catch (error) {
      const { code, status, message } = refusalOf(error);
      const answer = { __type: code, message, Message: message };
      const headers = { 'content-type': contentType, 'x-amzn-errortype': code };
      response.writeHead(status, headers).end(JSON.stringify(answer));
    }
  });
  return {
    endpoint: server.endpoint,
    advanceClock: (milliseconds) => timers.advance(milliseconds),
    schedules: () => schedules.pending(),
    stop: async () => {
      await Promise.all([server.stop(), timers.stop()]);
    },
  };
}

function refusalOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return error instanceof SyntaxError
    ? new ServiceError('SerializationException', error.message)
    : new ServiceError('InternalFailure', String(error), 500);
}
