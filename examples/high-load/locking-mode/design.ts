import { type Design, messagesTo, onePhase, type Variant } from '../measure/design.ts';
import { stockSaga } from './stock.ts';

/** Messages that arrive one by one: none shares its commit with others. */
const endpoint = { definitions: stockSaga, maxConcurrency: 8, batchSize: 1 } as const;
const work: Pick<Variant, 'phases' | 'outcome'> = {
  phases: (messages) =>
    onePhase(messagesTo('stock', 'Reserved', messages, () => ({ article: 'lamp', count: 2 }))),
  outcome: (stored) => stored.sagaState('Stock', 'lamp'),
};

export const lockingMode: Design = {
  title: 'Locking mode',
  when: 'messages arrive one by one, and handlers are slow or race to start a saga',
  notWhen: 'messages of one saga rarely meet: each message then pays for its lease',
  messages: { full: 200, short: 6 },
  expected: (messages) => ({ reserved: 2 * messages }),
  before: {
    label: 'optimistic',
    endpoints: () => ({ stock: { ...endpoint, options: { locking: { mode: 'optimistic' } } } }),
    ...work,
  },
  after: {
    label: 'pessimistic',
    endpoints: () => ({ stock: { ...endpoint, options: { locking: { mode: 'pessimistic' } } } }),
    ...work,
  },
};
