import {
  type AsJson,
  defineContract,
  type OutboxSessionContext,
  type OutboxSessionOptions,
  runOutboxSession,
} from 'sagabox';
import { z } from 'zod';

const billing = defineContract('billing', { ChargeCard: z.object({ orderId: z.string() }) });

/** What the handler of a session cannot do, and what its contracts refuse. */
export function place({ send, ...context }: OutboxSessionContext<{ sends: [typeof billing] }>): void {
  send('billing', 'ChargeCard', { orderId: '42' });
  // @ts-expect-error there is no such destination
  send('biling', 'ChargeCard', { orderId: '42' });
  // @ts-expect-error there is no such message
  send('billing', 'ChargeCrad', { orderId: '42' });
  // @ts-expect-error its body is another one
  send('billing', 'ChargeCard', { orderId: 42 });
  // @ts-expect-error a session answers its caller
  context.reply('ChargeCard', { orderId: '42' });
  // @ts-expect-error a session has no timeouts
  context.requestTimeout('ChargeCard', { orderId: '42' }, { after: { minutes: 1 } });
}

export async function run(): Promise<number> {
  return await runOutboxSession(
    { orderId: '42' },
    (event, { send }) => {
      send('billing', 'ChargeCard', event);
      // @ts-expect-error there is no such message
      send('billing', 'Charge', event);
      return 7;
    },
    { sends: [billing] },
  );
}

export const shared: OutboxSessionOptions = { scope: 'public' };
// @ts-expect-error keys are shared by all callers, or told apart by one
export const contradiction: OutboxSessionOptions = { scope: 'public', caller: () => 'ann' };
// @ts-expect-error a session always has its outbox
export const withoutOutbox: OutboxSessionOptions = { outbox: false };

interface Receipt {
  readonly at: Date;
  readonly lines: readonly { readonly total: number; readonly note?: string }[];
}

/** What a session answers with, the first time as each time. */
export async function receipt(order: { orderId: string }, given: Receipt): Promise<string> {
  const { at, lines } = await runOutboxSession(order, () => given);
  // @ts-expect-error it is a string, as JSON has it
  at.getTime();
  const [{ total = 0, note = '' } = {}] = lines;
  await runOutboxSession(order, async () => {});
  const nothing: undefined = (await runOutboxSession(order, () => undefined)) satisfies undefined;
  const unknown: unknown = await runOutboxSession(order, (): unknown => 7);
  const lost: { totals: never } = await runOutboxSession(order, () => ({ totals: new Map([['a', 1]]) }));
  const sum: number = await runOutboxSession(order, async () => 7);
  return `${at satisfies string} ${total} ${note} ${nothing} ${unknown} ${lost} ${sum}`;
}

export const error: AsJson<{ cause: Error; id: 'a' | 'b' }> = { cause: undefined as never, id: 'a' };
