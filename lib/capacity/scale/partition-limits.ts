import { MAX_COMBINED_MESSAGES } from '../../saga/combined-write.ts';
import { figureOf, type LimitRule } from './service-limit.ts';

const PARTITION_WRITE_UNITS = 1_000;
const PARTITION_READ_UNITS = 3_000;
const partitions = 'Best practices for designing and using partition keys effectively in DynamoDB';
const otherSaga =
  'Give the saga a finer correlation, or move what is counted out of it into sub-sagas; ' +
  'messages of one saga that arrive in one batch share reads and writes, up to ten';

/** What one partition takes, however much its table has. No request raises it. */
export const partitionLimits: readonly LimitRule[] = [
  {
    name: 'sagaWrites',
    unit: 'WCU/s',
    limit: PARTITION_WRITE_UNITS,
    adjustable: false,
    title: partitions,
    remedy: `${otherSaga}. A smaller state takes fewer units a message; appended contributions are in the same partition`,
    figuresOf: ({ busiestSaga: message, scale: { busiestSagaMessagesPerSecond: busiest } }) =>
      figureOf('one saga', busiest * message.perTable.saga.wcu, busiest),
  },
  {
    name: 'sagaReads',
    unit: 'RCU/s',
    limit: PARTITION_READ_UNITS,
    adjustable: false,
    title: partitions,
    remedy: `${otherSaga}. The mode eventual halves the units of a load`,
    figuresOf: ({ busiestSaga: message, scale: { busiestSagaMessagesPerSecond: busiest } }) =>
      figureOf('one saga', busiest * message.perTable.saga.rcu, busiest),
  },
  {
    name: 'sagaTurns',
    unit: 'messages at a time',
    limit: 1,
    adjustable: false,
    isEstimate: true,
    title: 'sagabox, Concurrency: one commit of a saga at a time, estimated by the whole invocation',
    remedy: `${otherSaga}. Move slow work out of its handlers, or let them append: appended values wait for nobody`,
    figuresOf({ shape, scale, batchSize, messagesPerSecond, invocationSeconds }) {
      const { busiestSagaMessagesPerSecond: busiest } = scale;
      // Messages that append wait for nobody.
      if (shape.sagaBytes === 0 || shape.appended > 0 || busiest === 0) return [];
      const ofBatch = (batchSize * busiest) / Math.max(busiest, messagesPerSecond);
      const group = Math.min(MAX_COMBINED_MESSAGES, Math.max(1, ofBatch));
      return figureOf('one saga', (busiest * invocationSeconds) / group, busiest);
    },
  },
];
