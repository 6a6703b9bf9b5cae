import { type Figures, wcuOfMessage } from '../benchmark/figures.ts';
import { formatUnits } from '../report/format.ts';
import { isWithin, type Judged } from './judged.ts';

/** What the bounds below hold for: the default load of `npm run contention`, and that of a full benchmark. */
export const boundedLoad = { messages: 200, workers: 8, conflicts: 0 } as const;

type Rounds = Pick<Figures['contention'], 'optimistic' | 'pessimistic' | 'embedded'>;

/** What the optimistic mode may take when all messages meet one saga. A short run has another load. */
export const optimisticBounds = [
  {
    title: 'WCU of one message: optimistic',
    value: ({ optimistic }) => optimistic.wcuPerMessage,
    format: formatUnits,
    bound: { full: { atMost: 2.3, seen: [2.3, 2.3] } },
    goal: { atMost: 2.8 },
  },
  {
    title: 'WCU of one message, refused ones included: optimistic',
    value: ({ optimistic }) => wcuOfMessage(optimistic),
    format: formatUnits,
    bound: { full: { atMost: 2.8, seen: [2.38, 2.44] } },
    goal: { atMost: 2.8 },
  },
  {
    // A batch that has waited for its lease looks its first message up once more.
    title: 'RCU of one message: optimistic',
    value: ({ optimistic }) => optimistic.rcuPerMessage,
    format: formatUnits,
    bound: { full: { atMost: 1.1, seen: [1.04, 1.05] } },
    goal: { atMost: 1.5 },
  },
  {
    title: 'Calls for one message: optimistic',
    value: ({ optimistic }) => optimistic.callsPerMessage,
    format: formatUnits,
    bound: { full: { atMost: 0.51, seen: [0.38, 0.44] } },
    goal: { atMost: 1 },
  },
  {
    // Both wait for leases, by chance for long or not.
    title: 'Time of all messages: optimistic / pessimistic',
    value: ({ optimistic, pessimistic }) => optimistic.seconds / pessimistic.seconds,
    bound: { full: { atMost: 1.3, seen: [0.9, 1.13] } },
    goal: { atMost: 1.1 },
  },
] as const satisfies readonly Judged<Rounds>[];

/** What the same may take with an embedded outbox. */
export const embeddedBounds = [
  {
    title: 'WCU of one message, refused ones included: embedded outbox',
    value: ({ embedded }) => wcuOfMessage(embedded),
    format: formatUnits,
    bound: { full: { atMost: 0.46, seen: [0.35, 0.39] } },
    goal: { atMost: 1 },
  },
  {
    // Each of 23 to 27 conflicts reads its saga again.
    title: 'RCU of one message: embedded outbox',
    value: ({ embedded }) => embedded.rcuPerMessage,
    format: formatUnits,
    bound: { full: { atMost: 0.22, seen: [0.13, 0.19] } },
    goal: { atMost: 0.4 },
  },
  {
    title: 'Calls for one message: embedded outbox',
    value: ({ embedded }) => embedded.callsPerMessage,
    format: formatUnits,
    bound: { full: { atMost: 0.54, seen: [0.36, 0.47] } },
    goal: { atMost: 0.8 },
  },
] as const satisfies readonly Judged<Rounds>[];

/** What does not hold of {@link boundedLoad}. */
export function boundComplaints(rounds: Rounds): string[] {
  return [...optimisticBounds, ...embeddedBounds].flatMap(({ title, value, bound }) => {
    const figure = value(rounds);
    return isWithin(bound.full, figure)
      ? []
      : `${title} is ${formatUnits(figure)}, more than ${bound.full.atMost}`;
  });
}
