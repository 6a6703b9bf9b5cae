import { describe, expect, it } from '@jest/globals';
import { testApp } from 'sagabox/testing';
import { purchaseSaga } from '../../../examples/scatter-gather/purchase.ts';
import { quotes } from '../../../examples/scatter-gather/quotes.ts';
import { supplierHandlers } from '../../../examples/scatter-gather/supplier-handlers.ts';
import { cells } from '../../support/samples.ts';

function newApp(isClosed?: (supplier: string) => boolean, seed?: number) {
  return testApp(
    [
      { endpoint: 'shop', handles: [purchaseSaga, quotes.saga] },
      { endpoint: 'suppliers', handles: supplierHandlers(isClosed) },
    ],
    seed === undefined ? {} : { seed },
  );
}

describe('the example scatter-gather', () => {
  it.each(cells([undefined, 1, 2], (seed) => seed === 1))(
    'gathers the best quote of 100 suppliers, with seed %s',
    async (seed) => {
      const app = newApp(() => false, seed);
      app.send('shop', 'PurchaseRequested', { purchaseId: '1', article: 'desk', suppliers: 100 });
      await app.deliverAll();
      expect(app.state(purchaseSaga, '1')).toEqual({
        status: 'complete',
        results: 1,
        given: 100,
        missing: 0,
        supplier: 'supplier-0',
        cents: 10_000,
      });
      expect(app.isCompleted(quotes.saga, '1')).toBe(true);
    },
  );

  it('has the quotes that were given in time', async () => {
    const app = newApp((supplier) => supplier === 'supplier-0' || supplier === 'supplier-77');
    app.send('shop', 'PurchaseRequested', { purchaseId: '1', article: 'desk', suppliers: 100 });
    await app.deliverAll();
    expect(app.state(purchaseSaga, '1')).toMatchObject({ status: 'asking' });
    await app.advance({ minutes: 5 });
    expect(app.state(purchaseSaga, '1')).toMatchObject({
      status: 'timedOut',
      results: 1,
      given: 98,
      missing: 2,
    });
  });
});
