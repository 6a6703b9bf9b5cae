import { durationIn, numberIn } from '../../kernel/checks/bounds.ts';
import { type Check, objectOf, oneOf } from '../../kernel/checks/checks.ts';
import type { Problem } from '../../kernel/checks/problems.ts';
import { limits } from '../../kernel/limits.ts';
import type { ScaleShape } from '../scale/scale-shape.ts';
import { shapeDefaults } from '../shape-defaults.ts';
import type { Workload } from '../workload.ts';

const choices = { queue: ['standard', 'fifo', 'highThroughputFifo'] } as const;
export const scaleChoices: Readonly<Record<string, readonly string[]>> = choices;

const ofOutgoing = numberIn({ min: 0, max: 10_000, fractions: true });
export const scaleCheck = objectOf({
  busiestSagaMessagesPerSecond: numberIn({ min: 0, max: 1e7, fractions: true }),
  invocationDuration: durationIn({ milliseconds: 1 }, { minutes: 15 }, 'from a millisecond to 15 minutes'),
  queue: oneOf(...choices.queue),
  topicMessages: ofOutgoing,
  busEvents: ofOutgoing,
  schedules: ofOutgoing,
  scheduleDelay: durationIn({ seconds: 1 }, { seconds: limits.maxDelaySeconds }, 'from a second to 365 days'),
} satisfies Record<keyof ScaleShape, Check>);

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
  const busiestAt = 'scale.busiestSagaMessagesPerSecond';
  if (busiest > 0 && sagaBytes === 0)
    problems.push({
      at: busiestAt,
      problem: 'it is of a saga, and the message has none',
      remedy: 'Say how large the saga is by message.sagaBytes, or leave it out',
    });
  if (busiest > peakMessagesPerSecond) {
    const problem = `${busiest} is more than all messages at the busiest time, ${peakMessagesPerSecond}`;
    problems.push({ at: busiestAt, problem, remedy: `Use at most ${peakMessagesPerSecond}` });
  }
  const elsewhere = topicMessages + busEvents + schedules;
  if (elsewhere > outgoing) {
    const problem = `it has ${elsewhere} messages to topics, event buses and schedules, of ${outgoing} outgoing messages`;
    problems.push({ at: 'scale', problem, remedy: 'Count them among message.outgoing' });
  }
  return problems;
}
