import { defineHandlers } from 'sagabox';
import { suppliers } from './contracts.ts';

/** Answers for all suppliers: each has a price of its own, and those that are closed do not answer. */
export function supplierHandlers(isClosed: (supplier: string) => boolean = () => false) {
  return defineHandlers({
    messages: suppliers.messages,
    replies: [suppliers],
    handlers: {
      RequestQuote({ body: { requestId, supplier } }, { reply }) {
        if (isClosed(supplier)) return;
        const cents = 10_000 + ((Number(supplier.replace(/\D/g, '')) * 7919) % 1000);
        reply('QuoteGiven', { requestId, supplier, cents });
      },
    },
  });
}
