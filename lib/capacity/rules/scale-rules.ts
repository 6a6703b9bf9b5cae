import type * as v from 'valibot';
import { limits } from '../../core/limits.ts';
import type { ScaleShape } from '../scale/scale-shape.ts';
import { shapeDefaults } from '../shape-defaults.ts';
import type { Workload } from '../workload.ts';
import { durationField } from './duration-field.ts';
import { number, object, oneOf } from './fields.ts';
import type { Problem } from './problems.ts';

const choices = { queue: ['standard', 'fifo', 'highThroughputFifo'] } as const;
export const scaleChoices: Readonly<Record<string, readonly string[]>> = choices;

const ofOutgoing = number(0, 10_000);
const fields: Record<keyof ScaleShape, v.GenericSchema> = {
  busiestSagaMessagesPerSecond: number(0, 1e7),
  invocationDuration: durationField({ milliseconds: 1 }, { minutes: 15 }, 'from a millisecond to 15 minutes'),
  queue: oneOf(choices.queue),
  topicMessages: ofOutgoing,
  busEvents: ofOutgoing,
  schedules: ofOutgoing,
  scheduleDelay: durationField(
    { seconds: 1 },
    { seconds: limits.maxDelaySeconds },
    'from a second to 365 days',
  ),
};
export const scaleSchema = object(fields);

/** Of a workload whose properties are right by themselves. */
export function problemsOfScale({
  scale = {},
  message,
  messagesPerSecond,
  peakMessagesPerSecond = messagesPerSecond,
}: Workload): Problem[] {
  const {
    busiestSagaMessagesPerSecond: busiest = 0,
    topicMessages = 0,
    busEvents = 0,
    schedules = 0,
  } = scale;
  const { sagaBytes = shapeDefaults.sagaBytes, outgoing = shapeDefaults.outgoing } = message;
  const problems: Problem[] = [];
  const busiestPath = 'scale.busiestSagaMessagesPerSecond';
  if (busiest > 0 && sagaBytes === 0)
    problems.push({ path: busiestPath, problem: 'is of a saga, and the message has none (sagaBytes)' });
  if (busiest > peakMessagesPerSecond) {
    const problem = `must be at most all messages at the busiest time, ${peakMessagesPerSecond}, not ${busiest}`;
    problems.push({ path: busiestPath, problem });
  }
  const elsewhere = topicMessages + busEvents + schedules;
  if (elsewhere > outgoing) {
    const problem = `has ${elsewhere} messages to topics, event buses and schedules, of ${outgoing} outgoing messages`;
    problems.push({ path: 'scale', problem });
  }
  return problems;
}
