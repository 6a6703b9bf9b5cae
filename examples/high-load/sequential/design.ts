import { type Design, messagesTo, onePhase, type Variant } from '../measure/design.ts';
import { parallelSaga, sequentialSaga, suppliers } from './quotes.ts';

const requests = 4;
const work: Pick<Variant, 'sinks' | 'phases' | 'outcome'> = {
  sinks: ['results'],
  // The starts, and a request and a reply for each message.
  phases: (messages) =>
    onePhase(
      messagesTo('quotes', 'QuotesStarted', requests, (index) => ({
        requestId: `request-${index}`,
        suppliers: messages / requests,
      })),
      requests + 2 * messages,
    ),
  outcome: async (stored) => (await stored.bodiesIn('results')).length,
};
const suppliersEndpoint = { definitions: suppliers, maxConcurrency: 8 } as const;

export const sequential: Design = {
  title: 'Sequential scatter-gather',
  when: 'one saga awaits many replies, and nobody waits for the result',
  notWhen: 'somebody waits for the result: the time is the sum of all replies',
  messages: { full: 96, short: 8 },
  expected: () => requests,
  before: {
    label: 'all requests at once',
    endpoints: () => ({
      quotes: { definitions: parallelSaga, maxConcurrency: 8, batchSize: 1 },
      suppliers: suppliersEndpoint,
    }),
    ...work,
  },
  after: {
    label: 'one request after another',
    endpoints: () => ({
      quotes: { definitions: sequentialSaga, maxConcurrency: 8, batchSize: 1 },
      suppliers: suppliersEndpoint,
    }),
    ...work,
  },
};
