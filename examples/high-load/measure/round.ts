import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createHandler, createProducer } from 'sagabox';
import { type CallCounts, countCalls } from '../../../bench/fleet/count-calls.ts';
import { type Consumer, type Phase as SendingPhase, workOff } from '../../../bench/fleet/work-off.ts';
import { injectServiceTimes } from '../../../bench/throughput/service-times.ts';
import { CallRecorder } from '../../../lib/capacity/measured/call-recorder.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { type DoneMessage, redriveAfter } from '../../../test/support/event-source.ts';
import { type Clients, withClients } from '../../../test/support/own-engines/clients.ts';
import type { Engines } from '../../../test/support/own-engines/engines.ts';
import {
  type RedrivingQueue,
  withQueue,
  withRedrivingQueue,
} from '../../../test/support/own-engines/queues.ts';
import { withTable } from '../../../test/support/own-engines/tables.ts';
import { messagesIn } from '../../../test/support/received-records.ts';
import type { Design, Endpoint, Phase, Phases, Sent, Variant } from './design.ts';
import { storedIn } from './stored.ts';

export interface RoundFigures extends CallCounts {
  readonly messages: number;
  readonly deadLettered: number;
  readonly millisPerMessage: number;
}

/** A run has no time to wait as long as the defaults do, which start at 10 s. */
const delayedRetries = { baseDelay: { seconds: 1 }, maxDelay: { seconds: 1 } } as const;
const standard = { batchSize: 10, fifo: false, maxReceiveCount: 10 } as const;

/**
 * Runs one variant of a design on tables and queues of its own.
 *
 * @throws Error if the outcome is not the expected one, unless messages are in a dead-letter queue
 */
export async function runRound(
  engines: Engines,
  { expected }: Design,
  variant: Variant,
  messages: number,
  interrupt: AbortSignal,
): Promise<RoundFigures> {
  const name = `high-load-${randomUUID()}`;
  return await withClients(engines, (clients) =>
    withTable(clients.dynamoDBClient, name, () =>
      withTable(clients.dynamoDBClient, `${name}-data`, async (dataTable) => {
        const endpointsOn = ({ dynamoDBClient }: Clients) => variant.endpoints({ dataTable, dynamoDBClient });
        const endpoints = Object.entries(endpointsOn(clients));
        return await withQueues(clients, name, endpoints, variant.sinks ?? [], async (queues, urls) => {
          const recorder = new CallRecorder();
          const consumers = endpoints.map(([endpoint, settings]) =>
            consumerOf(endpoint, settings, { tableName: name, queues, urls, recorder, endpointsOn }),
          );
          const isTimed = ({ type }: DoneMessage) => variant.timed === undefined || type === variant.timed;
          const work = { phases: sendingPhases(variant.phases(messages), clients, urls), isTimed };
          const seconds = await workOff(engines, consumers, work, interrupt);
          const deadLetterQueues = consumers.map(({ queue }) => queue.deadLetterQueueUrl);
          const deadLettered = await messagesIn(clients.sqsClient, deadLetterQueues);
          const outcome = await variant.outcome(storedIn(clients, name, dataTable, urls), messages);
          if (deadLettered === 0 && !isDeepStrictEqual(outcome, expected(messages)))
            throw new Error(
              `${variant.label}: ${JSON.stringify(outcome)}, not ${JSON.stringify(expected(messages))}`,
            );
          return {
            messages,
            deadLettered,
            ...countCalls(recorder.calls, messages),
            millisPerMessage: (1000 * seconds) / messages,
          };
        });
      }),
    ),
  );
}

function sendingPhases(
  phases: Phases,
  clients: Clients,
  urls: Readonly<Record<string, string>>,
): readonly [SendingPhase, ...SendingPhase[]] {
  const sending = (phase: Phase, index: number): SendingPhase => {
    return { send: () => sendAll(clients, phase.messages, urls, index), messages: phase.handled };
  };
  const [first, ...later] = phases;
  return [sending(first, 0), ...later.map((phase, index) => sending(phase, index + 1))];
}

async function sendAll(
  { sqsClient }: Clients,
  messages: readonly Sent[],
  urls: Readonly<Record<string, string>>,
  phase: number,
): Promise<void> {
  for (const [to, ofEndpoint = []] of Object.entries(Object.groupBy(messages, (message) => message.to))) {
    const producer = createProducer({ queueUrl: urls[to], sqsClient });
    const keyed = ofEndpoint.map(({ to: _, ...message }, index) => ({
      ...message,
      key: `${to}-${phase}-${index}`,
    }));
    await producer.sendBatch(keyed);
  }
}

interface Round {
  readonly tableName: string;
  readonly queues: Readonly<Record<string, RedrivingQueue>>;
  /** Of all destinations. */
  readonly urls: Readonly<Record<string, string>>;
  readonly recorder: CallRecorder;
  readonly endpointsOn: (clients: Clients) => ReturnType<Variant['endpoints']>;
}

function consumerOf(
  endpoint: string,
  { maxConcurrency, batchSize = standard.batchSize }: Endpoint,
  { tableName, queues, urls: destinations, recorder, endpointsOn }: Round,
): Consumer {
  const queue = queues[endpoint];
  if (queue === undefined) throw new Error(`The endpoint ${endpoint} has no queue`);
  const newHandler = (clients: Clients) => {
    // Behind the SDK's own retries: each of them is a call.
    recorder.watch(clients.dynamoDBClient);
    injectServiceTimes(clients);
    const { definitions, options = {} } = endpointsOn(clients)[endpoint] as Endpoint;
    return createHandler(definitions, {
      ...options,
      recoverability: { delayedRetries, ...options.recoverability },
      endpoint,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations,
      ...clients,
      // A busy machine may let an invocation take too long: its messages come again.
      throwOnFullBatchFailure: false,
      logger: silentLogger,
    });
  };
  return { queue, newHandler, pollers: maxConcurrency, batchSize };
}

/** A queue for each endpoint and each sink; `urls` has both, by name. */
async function withQueues<T>(
  { sqsClient }: Clients,
  prefix: string,
  endpoints: readonly (readonly [string, Endpoint])[],
  sinks: readonly string[],
  work: (
    queues: Readonly<Record<string, RedrivingQueue>>,
    urls: Readonly<Record<string, string>>,
  ) => Promise<T>,
): Promise<T> {
  const [sink, ...otherSinks] = sinks;
  if (sink !== undefined)
    return await withQueue(sqsClient, `${prefix}-${sink}`, {}, (url) =>
      withQueues({ sqsClient } as Clients, prefix, endpoints, otherSinks, (queues, urls) =>
        work(queues, { ...urls, [sink]: url }),
      ),
    );
  const [first, ...others] = endpoints;
  if (first === undefined) return await work({}, {});
  const [name, { fifo = standard.fifo, maxReceiveCount = standard.maxReceiveCount }] = first;
  const redrive = { ...redriveAfter(maxReceiveCount), fifo };
  return await withRedrivingQueue(sqsClient, `${prefix}-${name}`, redrive, (queue) =>
    withQueues({ sqsClient } as Clients, prefix, others, [], (queues, urls) =>
      work({ ...queues, [name]: queue }, { ...urls, [name]: queue.queueUrl }),
    ),
  );
}
