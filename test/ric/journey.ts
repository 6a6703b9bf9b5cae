import { once } from 'node:events';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { FaultRule, InvocationOutcome, LocalApp, OutputLine, ProxiedCall } from 'sagabox/local';
import { countMessages } from '../../lib/cli/queue-count.ts';
import { parsedJson } from '../../lib/kernel/parsed-json.ts';
import { startAppOn } from '../../lib/local/app/start.ts';
import type { StartInstance } from '../../lib/local/lambda/function-fleet.ts';
import { httpApiEvent } from '../support/http-events.ts';
import { allItems } from '../support/raw-items.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Where a function is killed, in the order of a message's steps; each on an order of its own. */
const seams = [
  { name: 'before the commit', kill: 'beforeCall', operation: 'TransactWriteItems' },
  { name: 'after the commit', kill: 'afterCall', operation: 'TransactWriteItems' },
  { name: 'before the dispatch', kill: 'beforeCall', operation: 'SendMessage' },
  { name: 'after the dispatch, before the mark', kill: 'afterCall', operation: 'SendMessage' },
] as const;

const killed = ['PlaceOrder', 'Orders', 'Billing'] as const;
const SETTLE_MS = 120_000;

/** What the journey of the orders came to. */
export interface JourneyFigures {
  readonly orders: number;
  /** HTTP requests, of which some ended with their function. */
  readonly requests: number;
  readonly kills: readonly string[];
  readonly messagesHandled: number;
  readonly logLines: number;
  /** What is not as it has to be. */
  readonly complaints: readonly string[];
}

/**
 * Places orders by HTTP events, each twice at once and once more, with functions killed at each seam: one
 * order, one response, one saga, one charge for each. Nothing of it is left running, also when it is aborted.
 */
export async function runJourney(
  assemblyDirectory: string,
  startInstance: StartInstance,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<JourneyFigures> {
  const journey = new Journey(say);
  const app = await startAppOn(startInstance, {
    assemblyDirectory,
    // Killed messages come back after a minute, six times the timeout of their function.
    timeScale: 30,
    faults: journey.faults,
    onFault: ({ name }) => journey.kills.push(name),
    onOutput: (output) => journey.wrote(output),
    onInvocation: ({ acknowledgedMessageIds }) => {
      journey.messagesHandled += acknowledgedMessageIds.length;
    },
  });
  try {
    return await Promise.race([journey.run(app), app.failed, interrupted(signal)]);
  } finally {
    await app.stop();
  }
}

async function interrupted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

class Journey {
  readonly kills: string[] = [];
  messagesHandled = 0;
  readonly #say: (line: string) => void;
  readonly #complaints: string[] = [];
  readonly #responses = new Map<string, unknown[]>();
  #requests = 0;
  #logLines = 0;
  /** The fault that may strike now. */
  #armed = '';

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  get faults(): FaultRule[] {
    return killed.flatMap((functionName) =>
      seams.map(({ name, kill, operation }) => {
        // It is the idempotency key too, in which there are no spaces.
        const fault = `${functionName}-${name}`.replaceAll(/\W+/g, '-');
        const matches = (call: ProxiedCall): boolean =>
          this.#armed === fault &&
          call.functionName.includes(`-${functionName}`) &&
          call.operation.replace(/Batch$/, '') === operation;
        return { name: fault, kill, matches, atCalls: [1] };
      }),
    );
  }

  /** Lambda's log format is JSON: a line that is none would not be found by its fields. */
  wrote({ functionName, line, kind }: OutputLine): void {
    if (kind === 'metrics') return;
    this.#logLines += 1;
    const entry = parsedJson(line) as { timestamp?: string; level?: string } | undefined;
    if (entry?.timestamp === undefined || entry.level === undefined)
      this.#complaints.push(`a log line of ${functionName} is no JSON with timestamp and level: ${line}`);
  }

  async run(app: LocalApp): Promise<JourneyFigures> {
    const orders = ['undisturbed', ...this.faults.map(({ name }) => name)];
    for (const order of orders) await this.#place(app, order);
    await this.#fail(app);
    const client = new DynamoDBClient(app.clientConfig);
    try {
      await this.#judge(app, client, orders);
    } finally {
      client.destroy();
    }
    const { kills, messagesHandled } = this;
    const missing = this.faults.filter(({ name }) => !kills.includes(name));
    this.#complaints.push(...missing.map(({ name }) => `no instance was killed: ${name}`));
    const counts = { orders: orders.length, requests: this.#requests, logLines: this.#logLines };
    return { ...counts, kills, messagesHandled, complaints: this.#complaints };
  }

  async #place(app: LocalApp, order: string): Promise<void> {
    this.#armed = order;
    const killsBefore = this.kills.length;
    const first = await Promise.all([this.#request(app, order), this.#request(app, order)]);
    // A client whose request is not answered sends it again.
    const again = await this.#request(app, order);
    if (order !== 'undisturbed') await waitUntil(() => this.kills.length > killsBefore, SETTLE_MS);
    const results = [...first, again].flatMap((outcome) =>
      outcome.kind === 'result' ? [outcome.result] : [],
    );
    const refused = results.filter((result) => (result as { statusCode: number }).statusCode !== 202);
    this.#complaints.push(...refused.map((result) => `${order}: answered with ${JSON.stringify(result)}`));
    this.#responses.set(order, results);
    this.#say(`${order}: ${results.length} of 3 requests answered`);
  }

  async #request(
    app: LocalApp,
    orderId: string,
    body = JSON.stringify({ orderId }),
  ): Promise<InvocationOutcome> {
    this.#requests += 1;
    const headers = { 'idempotency-key': orderId };
    return await app.invoke('PlaceOrder', httpApiEvent({ body, headers }));
  }

  /** A handler that throws: its error is that of the invocation, and nothing is committed. */
  async #fail(app: LocalApp): Promise<void> {
    const outcome = await this.#request(app, 'broken', 'no JSON');
    if (outcome.kind !== 'error' || outcome.error.errorType !== 'SyntaxError')
      this.#complaints.push(`a handler that throws ended with ${JSON.stringify(outcome)}`);
  }

  async #judge(app: LocalApp, client: DynamoDBClient, orders: readonly string[]): Promise<void> {
    const { OrdersTableName, ChargesTableName, SagaTableName, OutboxTableName } = app.outputs;
    const read = async (table = '') => (await allItems(client, table)).map((item) => unmarshall(item));
    const isQuiet = async (): Promise<boolean> => {
      // What a killed instance held comes back, and a request that was not answered has a record.
      if (app.runningInvocations() > 0 || (await messagesLeft(app)) > 0) return false;
      const sagas = await read(SagaTableName);
      const charged = sagas.filter(({ state }) => state.charged > 0);
      const records = await read(OutboxTableName);
      return charged.length >= orders.length && !records.some(({ dispatched }) => dispatched === false);
    };
    const notQuiet = `not everything is done after ${SETTLE_MS / 1_000} seconds`;
    await waitUntil(isQuiet, SETTLE_MS).catch(() => this.#complaints.push(notQuiet));
    const [placed, charges, sagas, records] = await Promise.all(
      [OrdersTableName, ChargesTableName, SagaTableName, OutboxTableName].map(read),
    );
    const expect = (holds: boolean, complaint: string): void => {
      if (!holds) this.#complaints.push(complaint);
    };
    expect(placed?.length === orders.length, `${placed?.length} orders are placed, not ${orders.length}`);
    expect(sagas?.length === orders.length, `${sagas?.length} sagas exist, not ${orders.length}`);
    for (const order of orders) {
      const charge = charges?.find(({ orderId }) => orderId === order);
      expect(charge?.charges === 1, `${order}: charged ${charge?.charges} times`);
      const state = sagas?.find(({ PK }) => PK.endsWith(`#${order}`))?.state;
      expect(state?.placed === 1 && state.charged === 1, `${order}: its saga is ${JSON.stringify(state)}`);
      const responses = new Set((this.#responses.get(order) ?? []).map((one) => JSON.stringify(one)));
      expect(responses.size === 1, `${order}: the responses are ${[...responses].join(', ') || 'none'}`);
    }
    const left = records?.filter(({ dispatched }) => dispatched === false) ?? [];
    expect(left.length === 0, `${left.length} records are not dispatched`);
  }
}

/** In the queues that feed a function. */
async function messagesLeft(app: LocalApp): Promise<number> {
  const client = new SQSClient(app.clientConfig);
  try {
    const queues = ['orders', 'billing'].map((name) => countMessages(client, app.queueUrl(name)));
    return (await Promise.all(queues)).reduce((sum, count) => sum + count, 0);
  } finally {
    client.destroy();
  }
}
