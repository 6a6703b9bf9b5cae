import { defineHandlers, defineSaga } from 'sagabox';
import * as z from 'zod';

const quotesStarted = z.object({ requestId: z.string(), suppliers: z.number() });
const quoted = z.object({ requestId: z.string(), price: z.number() });

/** Asks all suppliers at once. */
export const parallelSaga = defineSaga({
  name: 'ParallelQuotes',
  messages: { QuotesStarted: quotesStarted, Quoted: quoted },
  correlate: { QuotesStarted: (body) => body.requestId, Quoted: (body) => body.requestId },
  startedBy: ['QuotesStarted'],
  initialState: () => ({ awaited: 0, best: Number.MAX_SAFE_INTEGER }),
  handlers: {
    QuotesStarted({ body: { requestId, suppliers } }, { saga, send }) {
      saga.state.awaited = suppliers;
      for (let supplier = 0; supplier < suppliers; supplier += 1)
        send('suppliers', 'Quote', { requestId, supplier });
    },
    Quoted({ body }, { saga, send }) {
      saga.state.best = Math.min(saga.state.best, body.price);
      saga.state.awaited -= 1;
      if (saga.state.awaited > 0) return;
      send('results', 'BestQuote', { requestId: saga.id, price: saga.state.best });
      saga.complete();
    },
  },
});

/** Asks the next supplier when the one before has answered. What the next requests need is in the state. */
export const sequentialSaga = defineSaga({
  name: 'SequentialQuotes',
  messages: { QuotesStarted: quotesStarted, Quoted: quoted },
  correlate: { QuotesStarted: (body) => body.requestId, Quoted: (body) => body.requestId },
  startedBy: ['QuotesStarted'],
  initialState: () => ({ asked: 1, suppliers: 0, best: Number.MAX_SAFE_INTEGER }),
  handlers: {
    QuotesStarted({ body: { requestId, suppliers } }, { saga, send }) {
      saga.state.suppliers = suppliers;
      send('suppliers', 'Quote', { requestId, supplier: 0 });
    },
    Quoted({ body }, { saga, send }) {
      const { state } = saga;
      state.best = Math.min(state.best, body.price);
      if (state.asked < state.suppliers) {
        send('suppliers', 'Quote', { requestId: body.requestId, supplier: state.asked });
        state.asked += 1;
        return;
      }
      send('results', 'BestQuote', { requestId: saga.id, price: state.best });
      saga.complete();
    },
  },
});

export const suppliers = defineHandlers({
  messages: { Quote: z.object({ requestId: z.string(), supplier: z.number() }) },
  handlers: {
    Quote({ body: { requestId, supplier } }, { reply }) {
      reply('Quoted', { requestId, price: 100 + supplier });
    },
  },
});
