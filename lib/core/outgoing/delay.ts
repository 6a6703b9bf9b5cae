import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../duration.ts';
import type { OutgoingMessage } from '../incoming/message.ts';
import { limits } from '../limits.ts';
import type { Destination } from './destination.ts';
import type { Sending } from './sending.ts';

/**
 * How a message waits: in its queue for as long as SQS can, else in a schedule. It is due at one time in
 * both, however late it is dispatched.
 */
export type Delay = Pick<OutgoingMessage, 'delaySeconds' | 'dueAt'>;

/** @param refuse throws, with what is wrong */
export function delayFor(
  duration: Duration | undefined,
  destination: Destination,
  { schedules }: Sending,
  now: Date,
  refuse: (detail: string) => never,
): Delay {
  if (duration === undefined) return {};
  const problem = durationProblem(duration);
  if (problem !== undefined) refuse(`its delay cannot be used: ${problem}`);
  const seconds = toSeconds(duration);
  if (seconds < 0) refuse('its delay is negative');
  if (seconds > limits.maxDelaySeconds) {
    refuse(`its delay of ${seconds} s is over a year (${limits.maxDelaySeconds} s)`);
  }
  if (destination.kind !== 'queue') refuse('only queues take a delay');
  const isFifo = destination.kind === 'queue' && destination.fifo;
  if (seconds === 0) return {};
  if (seconds <= limits.delaySeconds && !isFifo)
    return { delaySeconds: seconds, dueAt: dueAt(now, duration) };
  if (schedules) return { dueAt: dueAt(now, duration) };
  const limit = isFifo
    ? 'a FIFO queue takes no delay of a single message'
    : `its delay of ${seconds} s is over the ${limits.delaySeconds} s of SQS`;
  return refuse(
    `${limit}, and no scheduler is configured: give the construct 'scheduler: true', or the option 'scheduler'`,
  );
}

/** Queues and schedules know whole seconds; none is early. */
function dueAt(now: Date, duration: Duration): string {
  const exact = now.getTime() + toMilliseconds(duration);
  return new Date(Math.ceil(exact / 1000) * 1000).toISOString();
}
