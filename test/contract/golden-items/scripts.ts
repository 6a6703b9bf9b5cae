import type { HandlerContext } from 'sagabox';
import { randomText } from '../../support/random-text.ts';

/** What handlers send, by a name that messages have in their bodies: each in another way. */
export type Script = keyof typeof scripts;

type Sending = Pick<HandlerContext, 'send' | 'publish' | 'reply'>;

const order = { orderId: '42', note: 'größer ✓' };
const manyHeaders = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`h${index}`, `${index}`]));

/** Larger bodies go to the claim check bucket. */
export const CLAIM_CHECK_THRESHOLD_BYTES = 250_000;

export const scripts = {
  queue: ({ send }: Sending) => send('billing', 'ChargeCard', order),
  headers: ({ send }: Sending) => send('billing', 'ChargeCard', order, { headers: manyHeaders }),
  fifo: ({ send }: Sending) => send('ledger', 'Book', order, { messageGroupId: 'mine' }),
  topic: ({ publish }: Sending) => publish('OrderTold', order),
  eventBus: ({ send }: Sending) => send('bus', 'OrderTold', order, { headers: { tenant: 'a' } }),
  cloudEvent: ({ publish }: Sending) => publish('OrderTold', order, { format: 'cloudevents' }),
  reply: ({ reply }: Sending) => reply('OrderTold', order),
  delay: ({ send }: Sending) => send('billing', 'ChargeCard', order, { delay: { seconds: 5 } }),
  schedule: ({ send }: Sending) => send('billing', 'ChargeCard', order, { delay: { hours: 3 } }),
  claimCheck({ send }: Sending) {
    send('billing', 'ChargeCard', { large: 'x'.repeat(CLAIM_CHECK_THRESHOLD_BYTES) });
  },
  several({ send, publish }: Sending) {
    send('billing', 'ChargeCard', order);
    publish('OrderTold', order);
    send('ledger', 'Book', order, { messageGroupId: 'mine' });
  },
  compressed({ send }: Sending) {
    for (let line = 0; line < 40; line += 1) send('billing', 'ChargeCard', { ...order, line });
  },
  chunks({ send }: Sending) {
    for (const seed of [1, 2]) send('billing', 'ChargeCard', { large: randomText(220_000, seed) });
  },
};
