import { defaultMapper } from '../adapters/dynamodb/saga/mapper.ts';
import { MemoryClaimChecks } from '../adapters/memory/claim-checks.ts';
import { MemoryOutboxStore } from '../adapters/memory/outbox-store.ts';
import { MemoryStorage } from '../adapters/memory/storage.ts';
import { limits } from '../core/limits.ts';
import {
  type Destination,
  type DestinationAddress,
  type Destinations,
  parseDestinations,
} from '../core/outgoing/destination.ts';
import type { Sending } from '../core/outgoing/sending.ts';
import { assertKeyName } from '../core/storage/keys.ts';
import type { Flow, FlowHooks } from '../flow/attempt.ts';
import type { Definition } from '../middleware/create-handler.ts';
import { sendingOf } from '../middleware/sending-settings.ts';
import type { Clock } from '../ports.ts';
import { silentLogger } from './silent-logger.ts';
import { testDefaults } from './test-defaults.ts';
import { TestDispatcher } from './test-dispatcher.ts';
import { assertTestOptions, type TestOptions } from './test-options.ts';
import { MappedCommitter, mappedSagas } from './test-stores.ts';

/**
 * A flow on ports in memory, and what is behind them.
 *
 * @throws SagaboxError `Configuration`
 */
export function memoryFlow(definition: Definition, options: TestOptions, clock: Clock, hooks: FlowHooks) {
  assertTestOptions(options);
  const { endpoint = testDefaults.endpoint, mapper = defaultMapper, logger = silentLogger } = options;
  assertKeyName('endpoint', endpoint);
  const storage = new MemoryStorage();
  const sagas = mappedSagas(storage, mapper);
  const outbox = new MemoryOutboxStore(storage, endpoint);
  const saga = definition.kind === 'saga' ? definition : undefined;
  const committer = new MappedCommitter(storage, mapper, endpoint, saga?.compressesState);
  const dispatcher = new TestDispatcher(endpoint, clock);
  const sending = sendingFrom(endpoint, options);
  const { claimCheckThresholdBytes: thresholdBytes, destinations } = sending;
  const flow: Flow = {
    endpoint,
    saga,
    outbox: true,
    sending,
    hooks,
    logger,
    ports: {
      sagas,
      outbox,
      committer,
      dispatcher,
      ...(thresholdBytes && {
        claimChecks: new MemoryClaimChecks({ endpoint, thresholdBytes, destinations }),
      }),
      clock,
    },
  };
  return { flow, storage, sagas, dispatcher };
}

/** As in production, with what a test need not configure. */
function sendingFrom(endpoint: string, options: TestOptions): Sending {
  const { publishTo = testDefaults.publishTo, scheduler = true, destinations, ...others } = options;
  return {
    ...sendingOf({ ...others, endpoint, destinations: {}, publishTo }, {}),
    destinations: testDestinations(endpoint, destinations),
    schedules: scheduler,
  };
}

/** Every destination by any name, or the given ones, the endpoint itself and the sender of the messages. */
function testDestinations(endpoint: string, given: TestOptions['destinations']): Destinations {
  if (given === undefined) return new AnyDestination();
  const named = Array.isArray(given) ? urlsByName(given) : given;
  const always = urlsByName([endpoint, testDefaults.sender]);
  return parseDestinations({ ...always, ...named }, "option 'destinations'");
}

class AnyDestination extends Map<string, Destination> {
  override get(name: string): Destination | undefined {
    return parseDestinations(urlsByName([name]), '').get(name);
  }
}

/** Of queues as the constructs make them. */
function urlsByName(names: readonly string[]): Record<string, DestinationAddress> {
  const { region, accountId } = testDefaults;
  const url = (name: string) =>
    `https://sqs.${region}.amazonaws.com/${accountId}/${encodeURIComponent(name)}`;
  const maxMessageSizeBytes = limits.messageBytes;
  return Object.fromEntries(names.map((name) => [name, { address: url(name), maxMessageSizeBytes }]));
}
