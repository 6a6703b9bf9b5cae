import { scatterGather } from 'sagabox';
import { suppliers } from './contracts.ts';

interface Quotes {
  /** How many were given. */
  given: number;
  /** The lowest one; of equal ones that of the first supplier by name, whatever the order of their arrival. */
  best: { supplier: string; cents: number } | null;
}

/** Asks all suppliers for a quote, and gathers the best one. */
export const quotes = scatterGather({
  name: 'Quotes',
  endpoint: 'shop',
  asks: suppliers,
  request: 'RequestQuote',
  reply: 'QuoteGiven',
  timeout: { minutes: 5 },
  width: 8,
  gather: {
    initial: (): Quotes => ({ given: 0, best: null }),
    add: (quotes, { supplier, cents }) => betterOf(quotes, { given: 1, best: { supplier, cents } }),
    merge: betterOf,
  },
});

function betterOf(one: Quotes, other: Quotes): Quotes {
  const given = one.given + other.given;
  if (one.best === null || other.best === null) return { given, best: one.best ?? other.best };
  const difference = one.best.cents - other.best.cents;
  const isOne = difference < 0 || (difference === 0 && one.best.supplier < other.best.supplier);
  return { given, best: isOne ? one.best : other.best };
}
