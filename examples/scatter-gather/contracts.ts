import { defineContract } from 'sagabox';
import * as z from 'zod';

const quoteRequest = z.object({ requestId: z.string(), supplier: z.string(), article: z.string() });
const quote = z.object({ requestId: z.string(), supplier: z.string(), cents: z.int() });

/** What the endpoint `suppliers` is asked, and what it answers. */
export const suppliers = defineContract(
  'suppliers',
  { RequestQuote: quoteRequest },
  { replies: { QuoteGiven: quote } },
);

/** What the endpoint `shop` takes from outside. */
export const shop = defineContract('shop', {
  PurchaseRequested: z.object({ purchaseId: z.string(), article: z.string(), suppliers: z.int() }),
});
