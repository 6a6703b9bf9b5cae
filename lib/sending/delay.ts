import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../kernel/duration.ts';
import { limits } from '../kernel/limits.ts';
import type { Refuse } from '../messages/contracts/refusal.ts';
import type { Destination } from '../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../messages/message.ts';
import { endpointRemedies } from './remedies.ts';
import type { Sending } from './sending.ts';

/** Returns a delay, in the queue for as long as SQS can, else in a schedule; due at one time in both. */
export function delayFor(
  duration: Duration | undefined,
  destination: Destination,
  { schedules, remedies = endpointRemedies }: Sending,
  now: Date,
  refuse: Refuse,
): Pick<OutgoingMessage, 'delaySeconds' | 'dueAt'> {
  if (duration === undefined) return {};
  const problem = durationProblem(duration);
  if (problem !== undefined) refuse(`its delay cannot be used: ${problem}`);
  const seconds = toSeconds(duration);
  if (seconds < 0) refuse('its delay is negative');
  if (seconds > limits.maxDelaySeconds) {
    refuse(`its delay of ${seconds} s is over a year (${limits.maxDelaySeconds} s)`);
  }
  if (destination.kind !== 'queue') refuse('only queues take a delay');
  if (seconds === 0) return {};
  // Queues and schedules know whole seconds; neither delivers a message early.
  const dueMs = Math.ceil((now.getTime() + toMilliseconds(duration)) / 1000) * 1000;
  const dueAt = new Date(dueMs).toISOString();
  if (seconds <= limits.delaySeconds && !destination.fifo) return { delaySeconds: seconds, dueAt };
  if (schedules) return { dueAt };
  const limit = destination.fifo
    ? 'a FIFO queue takes no delay of a single message'
    : `its delay of ${seconds} s is over the ${limits.delaySeconds} s of SQS`;
  return refuse(`${limit}, and ${remedies.delay}`);
}
