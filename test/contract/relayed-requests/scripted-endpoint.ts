import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createHandler, defineSaga, type RelayRunResult, relayOutbox, type SagaOutboxOptions } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { object, string } from 'valibot';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { capturingClients } from '../../support/captured-requests.ts';
import { outboxOfForm } from '../../support/outbox-of-form.ts';
import type { Random } from '../../support/random.ts';

const queues = 'https://sqs.us-east-1.amazonaws.com/123456789012';
const destinations = {
  orders: `${queues}/orders`,
  billing: `${queues}/billing`,
  ledger: `${queues}/ledger.fifo`,
  events: 'arn:aws:sns:us-east-1:123456789012:events',
  fifoEvents: 'arn:aws:sns:us-east-1:123456789012:events.fifo',
  bus: 'arn:aws:events:us-east-1:123456789012:event-bus/orders',
};

/** An endpoint whose handlers send what is drawn at random, the same for the same numbers. */
export function scriptedEndpoint(client: DynamoDBClient, tableName: string, form?: SagaOutboxForm) {
  const { clients, setRefusing, takeRequests, destroy } = requestsOf();
  let random: Random | undefined;
  const { s3Client, ...relayClients } = clients;
  const options = {
    ...relayClients,
    dynamoDBClient: client,
    endpoint: 'orders',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations,
    scheduler: { groupName: 'orders', roleArn: 'arn:aws:iam::123456789012:role/orders-schedules' },
    logger: silentLogger,
  } satisfies SagaOutboxOptions;
  const saga = defineSaga({
    name: 'Bestellung ✓',
    outbox: outboxOfForm(form),
    messages: { Told: object({ orderId: string() }) },
    correlate: { Told: ({ orderId }) => orderId },
    startedBy: ['Told'],
    initialState: () => ({ turns: 0 }),
    handlers: {
      Told({ body: { orderId } }, context) {
        if (random) act(random, orderId, context as unknown as Acting);
      },
    },
  });
  const handler = createHandler(saga, {
    ...options,
    s3Client,
    claimCheck: { bucketName: 'bodies', thresholdBytes: 3000 },
    publishTo: 'events',
    recoverability: { immediateRetries: { maxRetries: 0 } },
    throwOnFullBatchFailure: false,
  });
  const relay = relayOutbox({ ...options, olderThan: { milliseconds: 1 }, strategy: 'scan', segments: 1 });
  return {
    takeRequests,
    setRefusing,
    destroy,
    async deliver(given: Random, message: ScriptedMessage) {
      random = given;
      const { id, orderId, headers } = message;
      const record = sqsRecord({ type: 'Told', id, body: { orderId }, headers });
      return await handler({ Records: [record] });
    },
    relay: async (): Promise<RelayRunResult> => await relay({}),
  };
}

interface ScriptedMessage {
  readonly id: string;
  readonly orderId: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Acting {
  readonly saga: { state: { turns: number }; complete(): void };
  send(destination: string, type: string, body: unknown, options?: object): void;
  publish(type: string, body: unknown, options?: object): void;
  reply(type: string, body: unknown, options?: object): void;
  requestTimeout(type: 'Told', body: unknown, options: object): void;
  cancelTimeout(type: 'Told'): void;
}

function act(random: Random, orderId: string, context: Acting): void {
  const { saga, send, publish, reply, requestTimeout, cancelTimeout } = context;
  const isOneIn = (count: number) => random.below(count) === 0;
  if (!isOneIn(4)) saga.state.turns += 1;
  const userHeaders = () => {
    const names = ['tenant', 'x', 'later', '7', 'traceparent', 'region', 'shop', 'z'].filter(() =>
      isOneIn(4),
    );
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const headers = names.map((name) => [name, name === 'traceparent' ? trace : random.pick(['a', 'b ✓'])]);
    return Object.fromEntries(isOneIn(2) ? headers : headers.toReversed());
  };
  const body = () =>
    random.pick<object>([
      { orderId, note: 'größer ✓', list: [1, null, { deep: [] }] },
      { '2': 'two', '1': 'one', empty: '' },
      { large: 'x'.repeat(4000) },
    ]);
  for (let count = random.below(9); count > 0; count -= 1) {
    const format = isOneIn(4) ? { format: 'cloudevents' } : {};
    const options = { headers: userHeaders(), ...format };
    // Extension attributes have small letters and digits only.
    const onBus = { headers: { tenant: 'a' }, ...format };
    const delay = random.pick<object>([{ seconds: 5 }, { minutes: 14.99 }, { hours: 3 }]);
    const actions: readonly (() => void)[] = [
      () => send('billing', random.pick(['Charge', 'Refund']), body(), options),
      () => send('billing', 'Charge', body(), { ...options, delay }),
      () => send('ledger', 'Book', body(), isOneIn(2) ? options : { ...options, messageGroupId: 'mine' }),
      () => send('ledger', 'Book', body(), { ...options, delay }),
      () => send('fifoEvents', 'Told', body(), options),
      () => send('bus', 'Told', body(), onBus),
      () => publish('Told', body(), options),
      () => reply('Answered', body(), options),
      () => requestTimeout('Told', { orderId }, { after: delay }),
      () => cancelTimeout('Told'),
    ];
    actions[random.below(actions.length)]?.();
  }
  if (isOneIn(5)) saga.complete();
}

/** Clients that keep the requests that they are to send, as they are, and answer them or not. */
function requestsOf() {
  let requests: string[] = [];
  let refusing = false;
  const { clients, destroy } = capturingClients(({ operation, ...request }) => {
    if (operation === 'PutObject') return;
    if (refusing)
      throw Object.assign(new Error('refused'), { name: 'AccessDeniedException', $fault: 'client' });
    requests.push(`${operation} ${JSON.stringify(request)}`);
  });
  return {
    clients,
    destroy,
    setRefusing: (refuses: boolean) => {
      refusing = refuses;
    },
    /** Since the last call. They go side by side, in no order. */
    takeRequests: () => {
      const taken = requests.toSorted();
      requests = [];
      return taken;
    },
  };
}
