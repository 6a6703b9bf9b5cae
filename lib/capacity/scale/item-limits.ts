import { limits } from '../../kernel/limits.ts';
import { writtenSaga } from '../rules/shape-limits.ts';
import { figureOf, type LimitRule } from './service-limit.ts';

const rule = {
  unit: 'bytes',
  limit: limits.itemBytes,
  adjustable: false,
  title: 'Quotas in Amazon DynamoDB',
} as const;

/** Sizes, which grow with no rate. What exceeds them is refused as a workload. */
export const itemLimits: readonly LimitRule[] = [
  {
    ...rule,
    name: 'sagaItem',
    limit: limits.sagaItemBytes,
    remedy: 'Keep large data elsewhere, compress the state, or split the saga into sub-sagas',
    // With an embedded outbox, the item has another maximum.
    figuresOf({ shape }) {
      const { bytes, maximum } = writtenSaga(shape);
      return figureOf('saga item', bytes, undefined).map((figure) => ({ ...figure, limit: maximum }));
    },
  },
  {
    ...rule,
    name: 'outboxItem',
    remedy: 'Send fewer or smaller messages from one handler, or put large bodies into a claim check',
    figuresOf: ({ message }) => figureOf('outbox item', Math.max(0, ...message.storedItemBytes), undefined),
  },
];
