import { defineSaga } from 'sagabox';
import { shop } from './contracts.ts';
import { quotes } from './quotes.ts';

/** Starts the scatter-gather, and gets its result. */
export const purchaseSaga = defineSaga({
  name: 'Purchase',
  messages: { ...shop.messages, ...quotes.contract.replies },
  sends: [quotes.contract],
  correlate: { PurchaseRequested: ({ purchaseId }) => purchaseId, QuotesGathered: ({ id }) => id },
  startedBy: ['PurchaseRequested'],
  initialState: () => ({ status: 'asking', results: 0, given: 0, missing: 0, supplier: '', cents: 0 }),
  handlers: {
    PurchaseRequested({ body }, context) {
      const { purchaseId: id, article, suppliers } = body;
      const requests = Array.from({ length: suppliers }, (_, at) => ({
        supplier: `supplier-${at}`,
        article,
      }));
      quotes.start(context, { id, requests });
    },
    QuotesGathered({ body: { outcome, missing, result } }, { saga }) {
      const { given, best } = result;
      saga.state.status = outcome;
      saga.state.results += 1;
      saga.state.given = given;
      saga.state.missing = missing.length;
      saga.state.supplier = best?.supplier ?? '';
      saga.state.cents = best?.cents ?? 0;
    },
  },
});
