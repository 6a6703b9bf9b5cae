import {
  defineContract,
  idempotencyKeyHeader,
  type OutboxSessionContext,
  type OutboxSessionOptions,
  type OutboxSessionScope,
  outboxSession,
  runOutboxSession,
} from 'sagabox';
import { testSession } from 'sagabox/testing';
import { z } from 'zod';

const payments = defineContract('payments', { ChargeCard: z.object({ orderId: z.string() }) });
const mails = defineContract('mails', { Welcome: z.object({ name: z.string() }) });

interface Order {
  orderId: string;
}

async function place(order: Order, { send }: OutboxSessionContext<{ sends: [typeof payments] }>) {
  send('payments', 'ChargeCard', order);
  return order.orderId;
}

async function placeInScript(order: Order, { send }: OutboxSessionScope<{ sends: [typeof payments] }>) {
  send('payments', 'ChargeCard', order);
  return order.orderId;
}

async function placeAndPublish(
  order: Order,
  { publish }: OutboxSessionContext<{ sends: readonly [typeof payments]; publishes: [typeof mails] }>,
) {
  publish('Welcome', { name: order.orderId });
}

/** One object has the options of a session and of its test: its lists are readonly. */
const sessionOptions = {
  idempotencyKey: idempotencyKeyHeader(),
  scope: 'public',
  sends: [payments],
} as const;
const checked = { scope: 'public', sends: [payments] } as const satisfies OutboxSessionOptions;
const publishing = { ...sessionOptions, publishes: [mails] } as const;

export const sessions = [outboxSession(sessionOptions), outboxSession(checked), outboxSession(publishing)];

export async function run(order: Order): Promise<string> {
  const { response } = await testSession(place, sessionOptions).run(order);
  testSession(place, checked);
  testSession(place, publishing);
  testSession(placeAndPublish, publishing);
  testSession((other: Order, { send }) => {
    send('payments', 'ChargeCard', other);
    // @ts-expect-error there is no such message
    send('payments', 'Charge', other);
  }, sessionOptions);
  // @ts-expect-error what the handler publishes is not listed
  testSession(placeAndPublish, { ...sessionOptions, publishes: [] } as const);
  // @ts-expect-error another contract than that of the handler
  testSession(place, { scope: 'public', sends: [mails] } as const);
  return response satisfies string;
}

export async function runInScript(order: Order): Promise<string> {
  // @ts-expect-error another contract than that of the handler
  await runOutboxSession(order, placeInScript, { sends: [mails] } as const);
  return await runOutboxSession(order, placeInScript, sessionOptions);
}
