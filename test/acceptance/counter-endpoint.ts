import { type DynamoDBClient, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import {
  type CreateHandlerOptions,
  defineHandlers,
  defineSaga,
  type Locking,
  type MessageReport,
  type RelayOutboxOptions,
  type RelayRunResult,
  relayOutbox,
} from 'sagabox';
import { z } from 'zod';
import type { Definition } from '../../lib/compose/handler/route-messages.ts';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { dieAt, type Seam } from '../support/crash.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, type Fault } from '../support/faults.ts';
import { outboxOfForm } from '../support/outbox-of-form.ts';
import { type ArrivedMessage, drain } from '../support/queue.ts';
import { createStreamedTable } from '../support/relay-subject.ts';
import { type Driver, returnedIds } from '../support/returned-ids.ts';
import { watchStream } from '../support/table-stream.ts';

interface CounterState {
  count: number;
  handled: string[];
}

/** Counts what it handles, and tells two queues, so that everything that is lost or done twice shows. */
export const counterSaga = (form?: SagaOutboxForm) =>
  defineSaga({
    name: 'Counter',
    outbox: outboxOfForm(form),
    messages: {
      Counted: z.object({ counter: z.string(), note: z.string() }),
      Closed: z.object({ counter: z.string() }),
    },
    correlate: { Counted: (m) => m.counter, Closed: (m) => m.counter },
    startedBy: ['Counted'],
    initialState: (): CounterState => ({ count: 0, handled: [] }),
    handlers: {
      Counted(message, { saga, send }) {
        saga.state.count += 1;
        saga.state.handled.push(message.id);
        send('billing', 'Charge', { note: message.body.note });
        send('shipping', 'Ship', { note: message.body.note });
      },
      Closed(message, { saga, send }) {
        send('billing', 'Settle', { counter: message.body.counter });
        saga.complete();
      },
    },
  });

const successor = defineHandlers({
  messages: { Renamed: z.object({}) },
  handlers: { Renamed() {} },
});

/** An endpoint on tables and queues of its own; each delivery runs in a function of its own. */
export interface CounterEndpoint {
  readonly table: string;
  readonly queues: Readonly<Record<'billing' | 'shipping', string>>;
  readonly reports: MessageReport[];
  /** The ids of the records that are returned as failed. */
  deliver(records: readonly SQSRecord[], options?: DeliverOptions): Promise<string[]>;
  /** To a later version of the endpoint, which takes no message of the saga. */
  deliverToSuccessor(records: readonly SQSRecord[]): Promise<string[]>;
  /** One run of the relay in a function of its own, of all that is older than a millisecond. */
  relay(options?: RelayOptions): Promise<RelayRunResult>;
  state(counter: string): Promise<CounterState | undefined>;
  undispatchedRecords(): Promise<number>;
  arrived(destination: 'billing' | 'shipping'): Promise<ArrivedMessage[]>;
}

export interface DeliverOptions extends CreateHandlerOptions {
  dieAt?: Seam;
  /** The first eventually consistent read finds nothing, as one that comes too early. */
  missFirst?: boolean;
  /** Of the saga in this function. @default - that of the endpoint */
  form?: SagaOutboxForm;
}

export interface RelayOptions extends RelayOutboxOptions {
  dieAt?: Seam;
}

export async function counterEndpoint(
  locking: Locking,
  outbox?: SagaOutboxForm,
  hasStream = false,
  driver?: Driver,
): Promise<CounterEndpoint> {
  const table = await (hasStream ? createStreamedTable(dynamoDBClient()) : createTable());
  const queues = { billing: await createQueue(), shipping: await createQueue() };
  const reports: MessageReport[] = [];
  const observer = dynamoDBClient();
  const consumer = sqsClient();

  const deliverTo = async (
    definition: Definition,
    records: readonly SQSRecord[],
    { dieAt: seam, missFirst, ...options }: DeliverOptions,
  ) => {
    const functionClients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
    if (missFirst) missFirstEventualRead(functionClients.dynamoDBClient, table);
    if (seam) dieAt(Object.values(functionClients), seam);
    const ofFunction = {
      endpoint: 'counters',
      destinations: queues,
      onMessage: (report: MessageReport) => void reports.push(report),
      locking,
      ...functionClients,
      ...options,
    };
    return await returnedIds(definition, table, records, ofFunction, driver);
  };

  return {
    table,
    queues,
    reports,
    deliver: async (records, { form = outbox, ...options } = {}) =>
      await deliverTo(counterSaga(form), records, options),
    deliverToSuccessor: async (records) => await deliverTo(successor, records, {}),
    async relay({ dieAt: seam, ...options } = {}) {
      const functionClients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
      if (seam) dieAt(Object.values(functionClients), seam);
      if (hasStream) await watchStream(observer, table);
      const handler = relayOutbox({
        endpoint: 'counters',
        outboxTable: { tableName: table },
        sagaTable: { tableName: table },
        destinations: queues,
        strategy: hasStream ? 'stream' : 'scan',
        olderThan: { milliseconds: 1 },
        maxReadUnitsPerSecond: 100_000,
        segments: 2,
        logger: silentLogger,
        ...functionClients,
        ...options,
      });
      return await handler();
    },
    async state(counter) {
      const Key = { PK: { S: `SAGA#Counter#${counter}` }, SK: { S: 'SAGA' } };
      const { Item } = await observer.send(
        new GetItemCommand({ TableName: table, Key, ConsistentRead: true }),
      );
      return Item?.state?.M && (unmarshall(Item.state.M) as CounterState);
    },
    async undispatchedRecords() {
      const { Items = [] } = await observer.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
      return Items.filter((item) => item.SK?.S === 'RECORD' && item.dispatched?.BOOL !== true).length;
    },
    arrived: async (destination) => await drain(consumer, queues[destination]),
  };
}

function missFirstEventualRead(client: DynamoDBClient, table: string): void {
  const faults = new ClientFaults(client);
  const missOrPass: Fault = async ({ RequestItems }, proceed) =>
    RequestItems[table].ConsistentRead === false ? { $metadata: {} } : await proceed();
  // The dedup check and the load run side by side, and either may come first.
  faults.plan('BatchGetItem', missOrPass, 2);
}
