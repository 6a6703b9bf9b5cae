import type { Flow } from '../attempt/attempt.ts';
import type { Definition } from '../compose/handler/route-messages.ts';
import { sendingOf } from '../compose/sending-settings.ts';
import { assertKeyName } from '../dynamodb/keys.ts';
import type { Clock } from '../kernel/clock.ts';
import { limits } from '../kernel/limits.ts';
import {
  type Destination,
  type DestinationAddress,
  type Destinations,
  parseDestinations,
} from '../messages/destinations/destination.ts';
import type { FlowHooks } from '../observe/hooks.ts';
import { defaultMapper } from '../saga/item/mapper.dynamodb.ts';
import type { Sending } from '../sending/sending.ts';
import { MemoryStorage } from './memory/storage.ts';
import { memoryPorts } from './memory-ports.ts';
import { silentLogger } from './silent-logger.ts';
import { storeSagas } from './stored-sagas.ts';
import { TestTables } from './tables/test-tables.ts';
import { testDefaults } from './test-defaults.ts';
import { TestDispatcher } from './test-dispatcher.ts';
import { assertTestOptions, type SagaTestOptions, type TestOptions } from './test-options.ts';
import { mappedSagas, testDeduplication } from './test-stores.ts';

/**
 * A flow on ports in memory, and what is behind them.
 *
 * @throws SagaboxError `Configuration`
 */
export function memoryFlow(definition: Definition, options: SagaTestOptions, clock: Clock, hooks: FlowHooks) {
  assertTestOptions(options);
  const { endpoint = testDefaults.endpoint, mapper = defaultMapper, logger = silentLogger } = options;
  assertKeyName('endpoint', endpoint);
  const storage = new MemoryStorage();
  const tables = new TestTables(options.tables);
  const saga = definition.kind === 'saga' ? definition : undefined;
  if (saga) storeSagas(storage, mapper, saga, options.sagas, clock.now(), endpoint);
  const dispatcher = new TestDispatcher(endpoint, clock);
  const sending = sendingFrom(endpoint, options);
  const ports = memoryPorts({ endpoint, storage, tables, mapper, sending, dispatcher, clock }, saga);
  const deduplication = testDeduplication(saga, ports);
  const flow: Flow = { endpoint, saga, ...deduplication, sending, hooks, logger, ports };
  return { flow, storage, tables, sagas: mappedSagas(storage, mapper, saga?.compressesState), dispatcher };
}

/** As in production, with what a test need not configure. */
export function sendingFrom(endpoint: string, options: TestOptions): Sending {
  const {
    publishTo = testDefaults.publishTo,
    scheduler = true,
    destinations,
    tables: _tables,
    ...others
  } = options;
  return {
    ...sendingOf({ ...others, endpoint, destinations: {}, publishTo }, {}),
    destinations: testDestinations(endpoint, destinations, publishTo),
    schedules: scheduler,
  };
}

/** Every destination by any name, or the given ones, the endpoint itself and the sender of the messages. */
function testDestinations(
  endpoint: string,
  given: TestOptions['destinations'],
  publishTo: string | Readonly<Record<string, string>>,
): Destinations {
  if (given === undefined) return new AnyDestination(endpoint, [publishTo].flatMap(namesOf));
  const named = Array.isArray(given) ? queueAddresses(given) : given;
  const always = queueAddresses([endpoint, testDefaults.sender]);
  return parseDestinations({ ...always, ...named }, "option 'destinations'");
}

function namesOf(publishTo: string | Readonly<Record<string, string>>): string[] {
  return typeof publishTo === 'string' ? [publishTo] : Object.values(publishTo);
}

/** What is published goes to topics, which take less than queues. */
class AnyDestination extends Map<string, Destination> {
  readonly #topics: ReadonlySet<string>;

  constructor(endpoint: string, published: readonly string[]) {
    super();
    this.#topics = new Set(published.filter((name) => name !== endpoint));
  }

  override get(name: string): Destination | undefined {
    const addresses = this.#topics.has(name) ? { [name]: topicArn(name) } : queueAddresses([name]);
    return parseDestinations(addresses, '').get(name);
  }
}

export function topicArn(name: string): string {
  const { region, accountId } = testDefaults;
  return `arn:aws:sns:${region}:${accountId}:${name}`;
}

/** Of queues as the constructs make them, by the names of what they belong to. */
export function queueAddresses(
  names: readonly string[],
  queueName: (name: string) => string = (name) => name,
): Record<string, DestinationAddress> {
  const { region, accountId } = testDefaults;
  const url = (name: string) =>
    `https://sqs.${region}.amazonaws.com/${accountId}/${encodeURIComponent(queueName(name))}`;
  const maxMessageSizeBytes = limits.messageBytes;
  return Object.fromEntries(names.map((name) => [name, { address: url(name), maxMessageSizeBytes }]));
}
