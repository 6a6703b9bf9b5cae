// npx node --conditions=sagabox-source examples/scatter-gather/run.ts
import { testApp } from 'sagabox/testing';
import { purchaseSaga } from './purchase.ts';
import { quotes } from './quotes.ts';
import { supplierHandlers } from './supplier-handlers.ts';

/** Both endpoints in memory, with duplicates, conflicts, and three suppliers that do not answer. */
const closed = new Set(['supplier-3', 'supplier-44', 'supplier-99']);
const app = testApp(
  [
    { endpoint: 'shop', handles: [purchaseSaga, quotes.saga] },
    { endpoint: 'suppliers', handles: supplierHandlers((supplier) => closed.has(supplier)) },
  ],
  { seed: 1 },
);

app.send('shop', 'PurchaseRequested', { purchaseId: '1', article: 'desk', suppliers: 100 });
await app.deliverAll();
app.redeliver('suppliers', {});
await app.deliverAll();
console.log('Before the timeout:', app.state(purchaseSaga, '1'));

await app.advance({ minutes: 5 });
console.log('After it:', app.state(purchaseSaga, '1'));
