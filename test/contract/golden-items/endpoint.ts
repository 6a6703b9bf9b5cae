import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type AsJson,
  createHandler,
  defineHandlers,
  defineSaga,
  type MessageReport,
  type RelayOutboxOptions,
  type RelayRunResult,
  relayOutbox,
  runOutboxSession,
  type SagaHandlerContext,
  type SagaOutboxOptions,
} from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { object, optional, picklist, string } from 'valibot';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { outboxOfForm } from '../../support/outbox-of-form.ts';
import { watchStream } from '../../support/table-stream.ts';
import { comparableRequests } from './comparable-requests.ts';
import { CLAIM_CHECK_THRESHOLD_BYTES, type Script, scripts } from './scripts.ts';

const destinations = {
  orders: 'https://sqs.us-east-1.amazonaws.com/123456789012/orders',
  embedded: 'https://sqs.us-east-1.amazonaws.com/123456789012/embedded',
  billing: 'https://sqs.us-east-1.amazonaws.com/123456789012/billing',
  ledger: 'https://sqs.us-east-1.amazonaws.com/123456789012/ledger.fifo',
  events: 'arn:aws:sns:us-east-1:123456789012:events',
  bus: 'arn:aws:events:us-east-1:123456789012:event-bus/orders',
};
const scheduler = { groupName: 'orders', roleArn: 'arn:aws:iam::123456789012:role/orders-schedules' };

const names = Object.keys(scripts) as [Script, ...Script[]];
const sends = optional(picklist(names));
const order = object({ orderId: string(), sends });

/** Every kind of value that a state has. */
export const placedState = {
  total: 12.5,
  note: 'größer ✓',
  empty: '',
  none: null,
  paid: false,
  big: 12345678901234567890n,
  tags: new Set(['a', 'b']),
  sizes: new Set([1, 2]),
  bytes: Uint8Array.of(0, 127, 255),
  nested: { deep: [{ list: [[1], []] }] },
};

interface State {
  items: string[];
}

const largeState = () => ({ items: [], text: 'abc'.repeat(1_000) });

/** What sets the sagas apart, by their names: each leaves items of another kind. */
const variants = {
  OrderSaga: {},
  CompressedSaga: { state: { compress: true }, initialState: largeState },
  CompressedEmbeddedSaga: {
    outbox: outboxOfForm('embedded'),
    state: { compress: true },
    initialState: largeState,
  },
  MigratedSaga: { migrate: { 1: (old: object) => old } },
  AppendedSaga: { appendedBy: ['ItemTold'], collectedBy: ['ItemsTold'] },
  EmbeddedSaga: { outbox: outboxOfForm('embedded') },
  BothSaga: { outbox: outboxOfForm('both') },
} as const;

export type SagaName = keyof typeof variants;

export interface Delivery {
  readonly type: string;
  readonly body: object;
  /** @default 'OrderSaga' */
  readonly sagaName?: SagaName;
  /** @default - that of the saga by its name */
  readonly outbox?: 'records' | 'embedded' | 'both';
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: Partial<SagaOutboxOptions>;
  /** Awaited by the handler, before all else. */
  readonly atWork?: () => Promise<void>;
}

/** An endpoint on a table, with clients that keep what they are to send. */
export function goldenEndpoint(client: DynamoDBClient, tableName: string) {
  const { clients, takeRequests, refuse, destroy } = comparableRequests();
  const handled: string[] = [];
  const states: unknown[] = [];
  const collected: unknown[] = [];
  let atWork: (() => Promise<void>) | undefined;

  function sagaOf(name: SagaName, outbox: Delivery['outbox']) {
    const correlate = ({ orderId }: { orderId: string }) => orderId;
    type Context = SagaHandlerContext<State> & {
      saga: { append(key: string, value: unknown): void; collect(key: string): Promise<unknown> };
    };
    type Message = { id: string; body: { orderId: string; sends?: Script } };
    async function begin({ id, body }: Message, context: Context) {
      await atWork?.();
      handled.push(id);
      states.push(structuredClone(context.saga.state));
      if (body.sends) scripts[body.sends](context);
    }
    const definition = {
      name,
      initialState: () => ({ ...structuredClone(placedState), items: [] }),
      ...variants[name],
      ...(outbox && { outbox: outboxOfForm(outbox) }),
      messages: {
        OrderPlaced: order,
        ItemAdded: order,
        ItemTold: order,
        ItemsTold: order,
        PaymentDue: order,
        OrderPaid: order,
        OrderCancelled: order,
      },
      correlate: {
        OrderPlaced: correlate,
        ItemAdded: correlate,
        ItemTold: correlate,
        ItemsTold: correlate,
        PaymentDue: correlate,
        OrderPaid: correlate,
        OrderCancelled: correlate,
      },
      startedBy: ['OrderPlaced'],
      handlers: {
        OrderPlaced: begin,
        async ItemAdded(message: Message, context: Context) {
          await begin(message, context);
          context.saga.state.items.push(message.id);
        },
        ItemTold: (message: Message, { saga }: Context) => saga.append('items', message.id),
        async ItemsTold(_message: Message, { saga }: Context) {
          collected.push(await saga.collect('items'));
        },
        async PaymentDue(message: Message, context: Context) {
          await begin(message, context);
          const { orderId } = message.body;
          context.requestTimeout('ItemAdded', { orderId }, { after: { minutes: 5 } });
          context.requestTimeout('OrderCancelled', { orderId }, { after: { hours: 3 } });
        },
        async OrderPaid(message: Message, context: Context) {
          await begin(message, context);
          context.cancelTimeout('OrderCancelled');
        },
        async OrderCancelled(message: Message, context: Context) {
          await begin(message, context);
          context.saga.complete();
        },
      },
    };
    return defineSaga(definition as never);
  }
  const others = defineHandlers({
    messages: { Told: object({ sends }) },
    handlers: {
      Told({ id, body }, context) {
        handled.push(id);
        if (body.sends) scripts[body.sends](context as never);
      },
    },
  });
  const shared = {
    ...clients,
    dynamoDBClient: client,
    outboxTable: { tableName },
    destinations,
    logger: silentLogger,
  };
  const sending = {
    ...shared,
    publishTo: 'events',
    scheduler,
    claimCheck: { bucketName: 'bodies', thresholdBytes: CLAIM_CHECK_THRESHOLD_BYTES },
  };
  return {
    takeRequests,
    refuse,
    destroy,
    /** The ids of the messages whose handlers ran. */
    handled,
    /** The states that handlers of sagas met. */
    states,
    /** What handlers of sagas collected. */
    collected,
    async deliver(
      [endpoint, ...ids]: readonly [endpoint: string, ...ids: string[]],
      delivery: Delivery,
    ): Promise<{ returned: boolean; reports: MessageReport[] }> {
      const { type, body, sagaName = 'OrderSaga', outbox, headers, options } = delivery;
      const reports: MessageReport[] = [];
      ({ atWork } = delivery);
      const handler = createHandler(
        [sagaOf(sagaName, outbox), others] as never,
        {
          ...sending,
          endpoint,
          sagaTable: { tableName },
          onMessage: (report: MessageReport) => void reports.push(report),
          recoverability: { immediateRetries: { maxRetries: 0 } },
          throwOnFullBatchFailure: false,
          ...options,
        } as never,
      );
      const Records = ids.map((id) => sqsRecord({ type, id, body, ...(headers && { headers }) }));
      const { batchItemFailures } = await handler({ Records } as never);
      return { returned: batchItemFailures.length > 0, reports };
    },
    /** Runs a session under a key. */
    async request<Response>(
      endpoint: string,
      key: string,
      respond: () => Response | Promise<Response>,
    ): Promise<AsJson<Response>> {
      return await runOutboxSession(
        { key },
        async (_event, session) => {
          const response = await respond();
          handled.push(key);
          scripts.queue(session as never);
          return response;
        },
        {
          ...sending,
          endpoint,
          idempotencyKey: () => key,
          scope: 'public',
          exclusive: { leaseDuration: { hours: 2 }, waitTimeout: { milliseconds: 100 } },
        },
      );
    },
    async relay(endpoint: string, more: RelayOutboxOptions = {}): Promise<RelayRunResult> {
      const { s3Client: _bodies, ...ofRelay } = shared;
      if (more.strategy === 'stream') await watchStream(client, tableName);
      return await relayOutbox({ ...ofRelay, sagaTable: { tableName }, scheduler, endpoint, ...more })();
    },
  };
}
