import { describe, expect, it } from '@jest/globals';
import { defineHandlers, defineSaga } from 'sagabox';
import { testApp } from 'sagabox/testing';
import { z } from 'zod';
import { samples } from '../../support/samples.ts';
import { orderSaga, shopApp } from './shop.ts';

const seeds = Array.from({ length: samples(100) }, (_, index) => index + 1);
const item = z.object({ cart: z.string(), item: z.string() });

/** Two sagas' worth of messages that meet each other, and answers that meet them too. */
const cartSaga = defineSaga({
  name: 'CartSaga',
  messages: { Added: item, Priced: item },
  correlate: { Added: ({ cart }) => cart, Priced: ({ cart }) => cart },
  startedBy: ['Added'],
  initialState: () => ({ added: [] as string[], priced: [] as string[] }),
  handlers: {
    Added({ body }, { saga, send }) {
      saga.state.added.push(body.item);
      send('prices', 'Price', body);
    },
    Priced({ body }, { saga }) {
      saga.state.priced.push(body.item);
    },
  },
});
const prices = defineHandlers({
  messages: { Price: item },
  handlers: { Price: ({ body }, { reply }) => reply('Priced', body) },
});

async function runCarts(seed: number | undefined) {
  const app = testApp(
    [
      { endpoint: 'carts', handles: cartSaga },
      { endpoint: 'prices', handles: prices },
    ],
    seed === undefined ? {} : { seed },
  );
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) app.send('carts', 'Added', { cart: '1', item: name });
  app.send('carts', 'Added', { cart: '2', item: 'z' });
  const deliveries = await app.deliverAll();
  return { deliveries, one: app.state(cartSaga, '1'), two: app.state(cartSaga, '2') };
}

/** What is appended beside a saga meets its collector in every order. */
const pollSaga = defineSaga({
  name: 'PollSaga',
  messages: {
    Opened: z.object({ poll: z.string() }),
    Cast: z.object({ poll: z.string(), votes: z.int() }),
    Counted: z.object({ poll: z.string() }),
  },
  correlate: { Opened: ({ poll }) => poll, Cast: ({ poll }) => poll, Counted: ({ poll }) => poll },
  startedBy: ['Opened'],
  appendedBy: ['Cast'],
  collectedBy: ['Counted'],
  initialState: () => ({ votes: 0 }),
  handlers: {
    Opened() {},
    Cast: ({ body: { votes } }, { saga }) => saga.append('votes', votes),
    async Counted(_message, { saga }) {
      const { values } = await saga.collect('votes');
      for (const votes of values) saga.state.votes += Number(votes);
    },
  },
});

describe('an app with a seed', () => {
  it('collects what is appended once, in every order', async () => {
    for (const seed of seeds) {
      const app = testApp([{ endpoint: 'polls', handles: pollSaga }], { seed });
      app.send('polls', 'Opened', { poll: '1' });
      await app.deliverAll();
      for (const votes of [1, 10, 100]) {
        app.send('polls', 'Cast', { poll: '1', votes });
        app.send('polls', 'Counted', { poll: '1' });
      }
      await app.deliverAll();
      app.send('polls', 'Counted', { poll: '1' });
      await app.deliverAll();
      expect(app.state(pollSaga, '1')).toEqual({ votes: 111 });
    }
  });

  it('applies each message once, in every order', async () => {
    const orders = new Set<string>();
    for (const seed of seeds) {
      const { one, two } = await runCarts(seed);
      expect(one?.added.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
      expect(one?.priced.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
      expect(two).toEqual({ added: ['z'], priced: ['z'] });
      orders.add(JSON.stringify(one));
    }
    expect(orders.size).toBeGreaterThan(seeds.length / 2);
  });

  it('is the same in each run with one seed', async () => {
    for (const seed of seeds.slice(0, 5)) expect(await runCarts(seed)).toEqual(await runCarts(seed));
    expect((await runCarts(undefined)).one?.added.join('')).toBe('abcdef');
  });

  it('runs deliveries side by side, so that some meet conflicts and copies', async () => {
    let duplicates = 0;
    let running = 0;
    let mostRunning = 0;
    const slow = defineHandlers({
      messages: { Work: z.object({}) },
      handlers: {
        async Work() {
          running += 1;
          mostRunning = Math.max(mostRunning, running);
          await new Promise((resolve) => setTimeout(resolve));
          running -= 1;
        },
      },
    });
    for (const seed of seeds.slice(0, 10)) {
      const app = testApp([{ endpoint: 'work', handles: slow }], { seed });
      for (const id of ['1', '1', '2', '3']) app.send('work', 'Work', {}, { id });
      const deliveries = await app.deliverAll();
      duplicates += deliveries.filter(({ outcome }) => outcome === 'duplicate').length;
      expect(deliveries).toHaveLength(4);
    }
    expect(duplicates).toBe(10);
    expect(mostRunning).toBeGreaterThan(1);
  });

  it('ends the same with failures and copies in any order', async () => {
    for (const seed of seeds) {
      const app = shopApp({ seed });
      app.fail('billing', 'ChargeCard', { times: 2 });
      app.fail('orders', 'CardCharged', { times: 1 });
      for (const orderId of ['1', '2', '3']) app.send('orders', 'OrderPlaced', { orderId }, { id: orderId });
      await app.deliverAll();
      app.redeliver('billing');
      app.redeliver('orders');
      await app.deliverAll();
      for (const orderId of ['1', '2', '3']) expect(app.isCompleted(orderSaga, orderId)).toBe(true);
      expect(app.sentTo('crm')).toHaveLength(3);
      expect(app.endpoint('shipping').outgoing).toHaveLength(3);
    }
  });

  it('keeps the order of FIFO groups', async () => {
    for (const seed of seeds) {
      const seen: string[] = [];
      const ledger = defineHandlers({
        messages: { Post: z.object({ entry: z.string() }) },
        handlers: { Post: ({ body }) => void seen.push(body.entry) },
      });
      const app = testApp([{ endpoint: 'ledger', handles: ledger, fifo: true }], { seed });
      app.fail('ledger', 'Post', { times: 2 });
      for (const entry of ['a1', 'b1', 'a2', 'b2', 'a3'])
        app.send('ledger', 'Post', { entry }, { messageGroupId: entry.slice(0, 1), id: entry });
      await app.deliverAll();
      expect(seen.filter((entry) => entry.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
      expect(seen.filter((entry) => entry.startsWith('b'))).toEqual(['b1', 'b2']);
    }
  });
});
