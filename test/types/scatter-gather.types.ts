import { defineContract, defineSaga, type HandlerContext, scatterGather } from 'sagabox';
import { z } from 'zod';

/*
 * What is asserted here, `tsc -p .` checks: an unused `@ts-expect-error` is an error.
 */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertType = <_T extends true>(): void => {};

const suppliers = defineContract(
  'suppliers',
  {
    RequestQuote: z.object({ requestId: z.string(), article: z.string() }),
    CloseAccount: z.object({ supplier: z.string() }),
  },
  {
    replies: {
      QuoteGiven: z.object({ requestId: z.string(), cents: z.string().transform(Number) }),
      AccountClosed: z.object({ supplier: z.string() }),
    },
  },
);

const settings = {
  name: 'Quotes',
  endpoint: 'shop',
  asks: suppliers,
  request: 'RequestQuote',
  reply: 'QuoteGiven',
  timeout: { minutes: 5 },
} as const;

const all = scatterGather(settings);
const sum = scatterGather({
  ...settings,
  name: 'Sum',
  gather: {
    initial: () => ({ cents: 0 }),
    add: (result, { cents }, index) => ({ cents: result.cents + cents + 0 * index }),
    merge: (one, other) => ({ cents: one.cents + other.cents }),
  },
});

// @ts-expect-error: a request has a requestId
scatterGather({ ...settings, request: 'CloseAccount' });
// @ts-expect-error: and so has a reply
scatterGather({ ...settings, reply: 'AccountClosed' });
// @ts-expect-error: they are messages of the contract
scatterGather({ ...settings, request: 'QuoteGiven' });
// @ts-expect-error: a duration is no number
scatterGather({ ...settings, timeout: 300 });

export const purchase = defineSaga({
  name: 'Purchase',
  messages: { ...all.contract.replies, ...sum.contract.replies },
  sends: [all.contract],
  correlate: { QuotesGathered: ({ id }) => id, SumGathered: ({ id }) => id },
  startedBy: ['QuotesGathered'],
  initialState: () => ({}),
  handlers: {
    QuotesGathered({ body: { id, outcome, missing, result } }, context) {
      assertType<Equal<typeof outcome, 'complete' | 'timedOut' | 'cancelled'>>();
      assertType<Equal<typeof missing, number[]>>();
      assertType<Equal<(typeof result)[number]['body'], { requestId: string; cents: number }>>();
      all.start(context, { id, requests: [{ article: 'desk' }] });
      all.cancel(context, id);
      // @ts-expect-error: a request has its article
      all.start(context, { id, requests: [{ supplier: 'north' }] });
      // @ts-expect-error: the contract of this one is not listed
      sum.start(context, { id, requests: [{ article: 'desk' }] });
      // @ts-expect-error: by its id
      all.cancel(context, 7);
    },
    SumGathered({ body: { result } }) {
      assertType<Equal<typeof result, { cents: number }>>();
    },
  },
});

export function anySender(context: HandlerContext): void {
  sum.start(context, { id: '1', requests: [{ article: 'desk' }] });
}
