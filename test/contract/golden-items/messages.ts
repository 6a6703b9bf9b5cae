import type { Delivery, SagaName } from './endpoint.ts';
import { type Script, scripts } from './scripts.ts';

/** A message, or several of one batch, that the endpoint of the golden items gets. */
export interface GoldenMessage {
  readonly to: readonly [endpoint: string, ...ids: string[]];
  readonly delivery: Delivery;
  /** The calls of services that are refused. @default - none, so that nothing is left to be sent */
  readonly refused?: RegExp;
}

export const longId = 'long '.repeat(140);
export const LEASE_MS = 2 * 3_600_000;
export const pessimistic = { mode: 'pessimistic', leaseDuration: { milliseconds: LEASE_MS } } as const;

/** A body goes to the bucket before its commit. */
const allSending = /^(?!PutObject)/;
const publishing = /Publish/;
const headers = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'Sagabox.ReplyTo': 'billing',
  'Sagabox.ConversationId': 'conversation-1',
};

const told = (id: string, sends?: Script, more: Partial<Delivery> = {}): GoldenMessage => ({
  to: ['orders', id],
  delivery: { type: 'Told', body: { ...(sends && { sends }) }, ...more },
});

/** To a saga, of which it is the endpoint's message: its id has the saga's name and id. */
const to = (sagaName: SagaName, endpoint: string) => (orderId: string, type: string, sends?: Script) => ({
  to: [endpoint, `${type} ${sagaName} ${orderId} ${sends ?? ''}`.trim()] as const,
  delivery: { type, sagaName, body: { orderId, ...(sends && { sends }) } },
});
const order = to('OrderSaga', 'orders');
const compressed = to('CompressedSaga', 'orders');
const migrated = to('MigratedSaga', 'orders');
const appended = to('AppendedSaga', 'orders');
const embedded = to('EmbeddedSaga', 'embedded');
const both = to('BothSaga', 'embedded');
const withId = (message: GoldenMessage, ...ids: string[]): GoldenMessage => ({
  ...message,
  to: [message.to[0], ...ids],
});
const left = (message: GoldenMessage, refused = allSending): GoldenMessage => ({ ...message, refused });
const under = (message: GoldenMessage, more: Partial<Delivery>): GoldenMessage => ({
  ...message,
  delivery: { ...message.delivery, ...more },
});

/** Each leaves an item of another kind, or changes one to another kind. */
export const messages: readonly GoldenMessage[] = [
  // Records.
  ...(Object.keys(scripts) as Script[]).map((sends) => left(told(`left-${sends}`, sends, { headers }))),
  left(told(longId, 'queue')),
  left(told('left-partly', 'several'), publishing),
  told('sent-all', 'several'),
  told('sent-chunks', 'chunks'),
  told('sent-nothing'),
  told(`sent ${longId}`),
  order('none', 'ItemAdded'),
  // Sagas.
  ...['new', 'updated', 'leased', 'completed', longId].map((orderId) => order(orderId, 'OrderPlaced')),
  order('updated', 'ItemAdded'),
  order('updated', 'PaymentDue'),
  left(order('updated', 'PaymentDue', 'queue')),
  left(order('updated', 'OrderPaid')),
  order('completed', 'OrderCancelled'),
  under(order('released', 'OrderPlaced'), { options: { locking: pessimistic } }),
  compressed('new', 'OrderPlaced'),
  migrated('new', 'OrderPlaced'),
  appended('new', 'OrderPlaced'),
  appended('new', 'ItemTold'),
  withId(appended('new', 'ItemTold'), `told ${longId}`),
  // Sagas with an embedded outbox.
  embedded('sent', 'OrderPlaced'),
  withId(embedded('sent', 'ItemAdded'), '01234567-0000-4000-8000-000000000000'),
  embedded('sent', 'PaymentDue'),
  left(embedded('sent', 'OrderPaid')),
  left(embedded('pending', 'OrderPlaced', 'queue')),
  left(embedded('pending', 'ItemAdded', 'compressed')),
  left(withId(embedded('pending', 'ItemAdded', 'topic'), '01234567-89ab-4cde-8f01-23456789abcd')),
  embedded('ended', 'OrderPlaced'),
  embedded('ended', 'OrderCancelled'),
  embedded('ended-pending', 'OrderPlaced'),
  left(embedded('ended-pending', 'OrderCancelled', 'queue')),
  withId(embedded('overflowed', 'OrderPlaced'), ...Array.from({ length: 257 }, (_, index) => `one-${index}`)),
  left(embedded('overflowed', 'ItemAdded', 'queue')),
  to('CompressedEmbeddedSaga', 'embedded')('new', 'OrderPlaced'),
  // Sagas on their way from one form of the outbox to the other.
  both('new', 'OrderPlaced'),
  left(both('new', 'ItemAdded', 'queue')),
  under(both('from-records', 'OrderPlaced'), { outbox: 'records' }),
  both('from-records', 'ItemAdded'),
  under(both('from-embedded', 'OrderPlaced'), { outbox: 'embedded' }),
  both('from-embedded', 'ItemAdded'),
  both('ended', 'OrderPlaced'),
  both('ended', 'OrderCancelled'),
];

/** Those of which the relay of another endpoint has taken or postponed what they left. */
export const relayed: readonly GoldenMessage[] = ['relaying', 'postponing'].flatMap((endpoint) => [
  left({ ...told('left-several', 'several'), to: [endpoint, 'left-several'] }),
  left(to('EmbeddedSaga', endpoint)(endpoint, 'OrderPlaced', 'several')),
]);

/** What sessions return, by their keys. */
export const responses = {
  nothing: undefined,
  json: { orderId: '42', text: 'ä' },
  compressed: { text: 'abc'.repeat(1_000) },
  claimCheck: { text: 'x'.repeat(250_000) },
  left: { orderId: '43' },
} as const;
