import type { Attempt, Flow, OpenMessage } from '../../lib/attempt/attempt.ts';
import type { Ports } from '../../lib/attempt/ports.ts';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import type { MessageReport } from '../../lib/observe/hooks.ts';
import { open } from '../../lib/pipeline/open.ts';
import { recordsOutbox } from '../../lib/pipeline/outbox/records-outbox.ts';
import { MemoryCommitter } from '../../lib/testing/memory/committer.ts';
import { MemoryDispatcher } from '../../lib/testing/memory/dispatcher.ts';
import { MemoryEmbeddedSagas } from '../../lib/testing/memory/embedded-sagas.ts';
import { MemoryOutboxStore } from '../../lib/testing/memory/outbox-store.ts';
import { MemoryRequestLeases } from '../../lib/testing/memory/request-leases.ts';
import { MemorySagaStore } from '../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { attemptAt } from './attempts.ts';
import { MovingClock } from './moving-clock.ts';
import { paidSaga } from './order-sagas.ts';
import { record } from './queue.ts';
import { sendingTo } from './sending.ts';

/** The ports of an endpoint in memory, and what is behind them. */
export function memoryPorts(endpoint = 'orders') {
  const storage = new MemoryStorage();
  const dispatcher = new MemoryDispatcher();
  const outbox = new MemoryOutboxStore(storage, endpoint);
  const clock = new MovingClock();
  const ports = {
    sagas: new MemorySagaStore(storage),
    embedded: new MemoryEmbeddedSagas({ storage, deduplicationPeriodSeconds: 604_800 }),
    outbox,
    requestLeases: new MemoryRequestLeases(storage, endpoint, outbox, clock),
    committer: new MemoryCommitter({ storage, endpoint }),
    dispatcher,
    clock,
  } satisfies Ports;
  return { storage, dispatcher, ports };
}

/** The flow of the endpoint `orders` in memory. */
export class MemoryFlow {
  readonly storage: MemoryStorage;
  readonly dispatcher: MemoryDispatcher;
  readonly reports: MessageReport[] = [];
  flow: Flow;

  constructor(overrides: Partial<Flow> = {}) {
    const { storage, dispatcher, ports } = memoryPorts();
    this.storage = storage;
    this.dispatcher = dispatcher;
    this.flow = {
      endpoint: 'orders',
      sending: sendingTo(
        { billing: 'https://queues.test/billing', orders: 'https://queues.test/orders' },
        { schedules: true },
      ),
      saga: paidSaga,
      outbox: recordsOutbox,
      deduplicationPeriodSeconds: 604_800,
      logger: silentLogger,
      hooks: { onMessage: (report) => void this.reports.push(report) },
      ports,
      ...overrides,
    };
  }

  /** An attempt at a message of the order `7`. */
  start(type: string, id: string, parts: Parameters<typeof attemptAt>[2] = {}): Attempt {
    return attemptAt(this.flow, readEnvelope(record(type, { id: '7' }, id)), parts);
  }

  /** Up to where the handler runs. */
  async open(type: string, id: string, parts?: Parameters<typeof attemptAt>[2]): Promise<OpenMessage> {
    const transaction = await open(this.start(type, id, parts));
    if (transaction === undefined) throw new Error('There is nothing to handle');
    return transaction;
  }
}
