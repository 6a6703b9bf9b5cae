import type { Ports } from '../../lib/attempt/ports.ts';
import type { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { outboxRecordKey, type SagaIdentity, sagaKey } from '../../lib/dynamodb/keys.ts';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { type Destination, parseDestinations } from '../../lib/messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import type { EmbeddedSagas } from '../../lib/outbox/embedded/embedded-sagas.ts';
import type { OutboxStore } from '../../lib/outbox/outbox-store.ts';
import type { RelayPorts } from '../../lib/relay/relay.ts';
import type { StreamedTable } from '../../lib/relay/streamed-table.ts';
import type { UndispatchedRecords } from '../../lib/relay/undispatched-records.ts';
import type { AcquireOutcome, SagaLocks } from '../../lib/saga/saga-locks.ts';
import type { LoadCertainty, LoadedSaga, SagaStore } from '../../lib/saga/saga-store.ts';
import type { DispatchOptions } from '../../lib/sending/dispatch-options.ts';
import type { Dispatcher } from '../../lib/sending/dispatcher.ts';
import { RoutedDispatcher } from '../../lib/sending/routed-dispatcher.ts';
import { MemoryEmbeddedSagas } from '../../lib/testing/memory/embedded-sagas.ts';
import { MemoryOutboxStore } from '../../lib/testing/memory/outbox-store.ts';
import { MemorySagaLocks } from '../../lib/testing/memory/saga-locks.ts';
import { MemorySagaStore } from '../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { MemoryUndispatchedRecords } from '../../lib/testing/memory/undispatched-records.ts';
import type { Manner, Refusal } from './call.ts';
import type { Instance } from './instance.ts';
import { destinations } from './message-script.ts';
import { DEDUPLICATION_MS } from './scenario.ts';
import { simulatedCommitter } from './simulated-committer.ts';
import { databaseRefusal, errorAnswer, throttled } from './simulated-refusal.ts';
import { unsentIn } from './unsent-lists.ts';
import { sagaIdOf } from './watch.ts';

/** The ports in memory, each call of them in the hands of the simulation. */
export function simulatedPorts(instance: Instance, endpoint: string): Ports {
  return {
    sagas: sagaStore(instance),
    ...(instance.world.scenario.embedded && { embedded: embeddedSagas(instance) }),
    locks: sagaLocks(instance),
    outbox: outboxStore(instance, endpoint),
    committer: simulatedCommitter(instance, endpoint),
    dispatcher: dispatcher(instance),
    clock: instance.clock,
  };
}

export function relayPorts(instance: Instance, endpoint: string): RelayPorts {
  return {
    outbox: watchedReads(instance, outboxStore(instance, endpoint)),
    ...(instance.world.scenario.embedded && { embedded: watchedEntries(instance) }),
    dispatcher: dispatcher(instance),
    clock: instance.clock,
    undispatched: undispatchedRecords(instance, endpoint),
  };
}

/** The relay reads what it has claimed, and tells what it has marked. */
function watchedReads(instance: Instance, outbox: OutboxStore): OutboxStore {
  return {
    ...outbox,
    find: (messageId, meter) => {
      readsClaimed(instance, messageId);
      return outbox.find(messageId, meter);
    },
    markDispatched: async (record, at, meter) => {
      await outbox.markDispatched(record, at, meter);
      instance.invocation?.relay.marked(record.messageId);
    },
  };
}

function watchedEntries(instance: Instance): EmbeddedSagas {
  const entries = embeddedSagas(instance);
  return {
    ...entries,
    find: (record, meter) => {
      readsClaimed(instance, record.messageId);
      return entries.find(record, meter);
    },
    markDispatched: async (record, at, meter) => {
      await entries.markDispatched(record, at, meter);
      instance.invocation?.relay.marked(record.messageId);
      instance.world.coverage.add('entries relayed');
    },
  };
}

function readsClaimed({ invocation, world }: Instance, messageId: string): void {
  const problem = invocation?.relay.reading(messageId);
  if (problem) world.violate('lease', problem);
}

function sagaStore(instance: Instance): SagaStore {
  const { watch, scenario } = instance.world;
  const latest = new MemorySagaStore(watch.storage);
  return {
    load: (saga: SagaIdentity, meter: CapacityMeter, certainty: LoadCertainty = 'none') => {
      const { partition } = sagaKey(saga);
      const canBeStale = scenario.mode === 'eventual' && certainty !== 'all' && watch.hasImages(partition);
      return instance.call({
        port: 'load',
        about: () => `of saga ${saga.id}`,
        perform: async (manner) => {
          const stale = manner === 'stale' && canBeStale ? await staleLoad(instance, saga) : undefined;
          const isAcceptable = scenario.embedded || stale?.stored || certainty === 'none';
          if (stale && isAcceptable) return stale;
          if (reads(instance, 'saga', partition, meter))
            instance.invocation?.disturbances.contention(saga.id);
          return await latest.load(saga);
        },
        refusal: databaseRefusal,
        ...(canBeStale && { manners: ['stale'] }),
        meter,
      });
    },
  };
}

function memoryEmbedded(storage: MemoryStorage): MemoryEmbeddedSagas {
  return new MemoryEmbeddedSagas({ storage, deduplicationPeriodSeconds: DEDUPLICATION_MS / 1000 });
}

function embeddedSagas(instance: Instance): EmbeddedSagas {
  const { watch, scenario } = instance.world;
  const latest = memoryEmbedded(watch.storage);
  const limits = scenario.embedded;
  return {
    ...(limits && { limits }),
    newSalt: () => latest.newSalt(),
    find: (record, meter) =>
      instance.call({
        port: 'find',
        about: () => `of ${record.messageId}, in the item of its saga`,
        perform: () => {
          if (record.sagaItem) reads(instance, 'saga', record.sagaItem.partition, meter);
          return latest.find(record);
        },
        refusal: databaseRefusal,
        meter,
      }),
    ...writesOfRecord(instance, latest),
  };
}

async function staleLoad({ world }: Instance, saga: SagaIdentity): Promise<LoadedSaga> {
  const replica = new MemoryStorage();
  const { partition } = sagaKey(saga);
  const { embedded, saga: plain } = world.watch.imageOf(partition, world.random());
  if (embedded) replica.embedded.set(partition, embedded);
  if (plain) replica.sagas.set(partition, plain);
  return await new MemorySagaStore(replica).load(saga);
}

/** @returns whether an item is given as it was before a commit that is not visible in it yet */
function reads(
  { name, world }: Instance,
  kind: 'saga' | 'record',
  key: string,
  meter: CapacityMeter | undefined,
): boolean {
  const isOld = world.watch.visibility.reads(kind, key, meter);
  if (isOld) world.tell(() => `${name}: the ${kind} is read as it was: its last commit is not visible yet`);
  return isOld;
}

function sagaLocks(instance: Instance): SagaLocks {
  const { watch } = instance.world;
  const { clock } = instance;
  const locks = new MemorySagaLocks(watch.storage, new MemorySagaStore(watch.storage), clock);
  const isOfCrowd = ['optimistic', 'eventual'].includes(instance.world.scenario.mode);
  const about = (saga: SagaIdentity) => () => `of saga ${saga.id}`;
  return {
    tryAcquire: (saga, lease, expected, meter) =>
      instance.call<AcquireOutcome>({
        port: 'acquire',
        about: about(saga),
        perform: () => {
          if (isOfCrowd) instance.world.coverage.add('leases of a crowd');
          const held = watch.storage.leases.get(sagaKey(saga).partition);
          if (held && held.owner !== lease.owner) instance.invocation?.disturbances.contention(saga.id);
          const take = () => locks.tryAcquire(saga, lease, expected);
          const outcome = watch.lease('acquire', lease, clock.now(), take);
          // Whoever had it, and has not returned yet, is refused by its commit.
          if (held && watch.storage.leases.get(sagaKey(saga).partition)?.owner === lease.owner)
            instance.world.sagaWritten(saga.id, instance.invocation);
          // A write sees the latest, and has all later reads see it.
          reads(instance, 'saga', sagaKey(saga).partition, meter);
          return outcome;
        },
        refusal: (passing) =>
          passing
            ? { value: { outcome: 'held', until: undefined, cause: throttled() } }
            : errorAnswer('connection lost'),
        meter,
        leaseOwner: lease.owner,
      }),
    renew: (saga, lease, meter) =>
      instance.call({
        port: 'renew',
        about: about(saga),
        perform: () => watch.lease('renew', lease, clock.now(), () => locks.renew(saga, lease)),
        refusal: databaseRefusal,
        meter,
        leaseOwner: lease.owner,
      }),
    release: (saga, lease, _expected, meter) =>
      instance.call({
        port: 'release',
        about: about(saga),
        perform: () => watch.lease('release', lease, clock.now(), () => locks.release(saga, lease)),
        refusal: databaseRefusal,
        meter,
        leaseOwner: lease.owner,
      }),
  };
}

function outboxStore(instance: Instance, endpoint: string): OutboxStore {
  const { watch } = instance.world;
  const outbox = new MemoryOutboxStore(watch.storage, endpoint);
  return {
    find: (messageId, meter) =>
      instance.call({
        port: 'find',
        about: () => `of ${messageId}`,
        perform: () => {
          const isOld = reads(instance, 'record', outboxRecordKey(endpoint, messageId).partition, meter);
          // The item of its saga tells that there is one.
          const saga = instance.world.scenario.embedded && watch.sagaIdOf(endpoint, messageId);
          if (isOld && saga !== undefined) instance.invocation?.disturbances.contention(saga);
          return outbox.find(messageId);
        },
        refusal: databaseRefusal,
        meter,
      }),
    ...writesOfRecord(instance, outbox),
  };
}

/** Of a record, or of an entry of an item that stands for one. */
function writesOfRecord(
  instance: Instance,
  store: Pick<MemoryOutboxStore, 'saveProgress' | 'markDispatched'>,
): Pick<OutboxStore, 'saveProgress' | 'markDispatched'> {
  const { world } = instance;
  const call = <T>(
    port: 'mark' | 'keep sent',
    record: { readonly messageId: string },
    meter: CapacityMeter,
    perform: () => Promise<T>,
  ) =>
    instance.call({ port, about: () => `of ${record.messageId}`, perform, refusal: databaseRefusal, meter });
  return {
    markDispatched: (record, _at, meter) =>
      call('mark', record, meter, async () => {
        await world.watch.mark(record, () => store.markDispatched(record));
        // A commit that leaves the expiry of a tombstone to this mark is refused.
        if (record.sagaItem) world.sagaWritten(sagaIdOf(record.sagaItem.partition), undefined);
      }),
    saveProgress: (record, sent, meter) =>
      call('keep sent', record, meter, () =>
        world.watch.saveProgress(() => store.saveProgress(record, sent)),
      ),
  };
}

/** The table, for its watcher. */
export function watchedTable(instance: Instance): StreamedTable {
  const { world } = instance;
  const { records, embedded } = world.watch.storage;
  const refusal = databaseRefusal;
  return {
    unsentIn: (item, meter) => {
      const { partition } = item;
      const perform = async () => unsentIn(item, records.read(partition), embedded.read(partition));
      return instance.call({ port: 'look', about: () => `at ${partition}`, perform, refusal, meter });
    },
    list: (unsent, meter) => {
      const perform = async () => {
        world.coverage.add('things listed');
        world.unsent.add(unsent);
      };
      return instance.call({
        port: 'list',
        about: () => `of ${unsent.messageId}`,
        perform,
        refusal,
        meter,
      });
    },
  };
}

function undispatchedRecords(instance: Instance, endpoint: string): UndispatchedRecords {
  const { watch, unsent, time } = instance.world;
  const records = new MemoryUndispatchedRecords(watch.storage, endpoint);
  const refusal = databaseRefusal;
  return {
    async *find(storedBefore, meter) {
      const perform = async () => {
        unsent.deleteExpired(time.nowMs);
        return unsent.find(endpoint, storedBefore);
      };
      yield* await instance.call({ port: 'search', about: () => '', perform, refusal, meter });
    },
    claim: async (record, lease, now, meter, terms) => {
      const { messageId } = record;
      const perform = () =>
        watch.lease('claim', lease, now, () => records.claim(record, lease, now, undefined, terms));
      const outcome = await instance.call({ port: 'claim', about: () => messageId, perform, refusal, meter });
      if (outcome === 'claimed') instance.invocation?.relay.claimed(record);
      return outcome;
    },
    postpone: (record, lease, meter, sent) => {
      const { messageId } = record;
      const perform = () =>
        watch.lease('postpone', lease, lease.until, () => records.postpone(record, lease, undefined, sent));
      instance.invocation?.relay.lettingGo(messageId);
      return instance.call({ port: 'postpone', about: () => messageId, perform, refusal, meter });
    },
    release: (record, lease, meter) => {
      const { messageId } = record;
      const perform = () =>
        watch.lease('give back', lease, lease.until, () => records.release(record, lease));
      instance.invocation?.relay.lettingGo(messageId);
      return instance.call({ port: 'give back', about: () => messageId, perform, refusal, meter });
    },
    unlist: async (record, meter) => {
      const { messageId, listedAt } = record;
      const perform = async () => {
        if (listedAt !== undefined) unsent.remove(endpoint, listedAt);
      };
      instance.invocation?.relay.lettingGo(messageId);
      try {
        await instance.call({ port: 'unlist', about: () => messageId, perform, refusal, meter });
      } catch (error) {
        instance.invocation?.relay.leftListed(record);
        throw error;
      }
    },
  };
}

/** The invocation, if nothing has kept it from sending in order. */
function undisturbed({ invocation }: Instance): object | undefined {
  return invocation?.disturbances.hasFaults ? undefined : invocation;
}

function dispatcher(instance: Instance): Dispatcher {
  const { world, clock } = instance;
  const refusal = (passing: boolean): Refusal<void> =>
    passing
      ? {
          error: new SagaboxError('DispatchFailed', { destination: 'orders', failures: ['throttled'] }),
        }
      : errorAnswer('connection lost');
  const queues = {
    send: async (
      messages: readonly OutgoingMessage[],
      _to: Destination,
      { onTaken }: DispatchOptions = {},
    ) => {
      let known: readonly OutgoingMessage[] = [];
      try {
        await instance.call<void>({
          port: 'send',
          about: () => messages.map(({ type }) => type).join(' '),
          perform: async (manner: Manner) => {
            const taken = manner === 'partial' ? messages.slice(0, messages.length >> 1) : messages;
            if (manner === 'partial') known = taken;
            for (const message of taken) {
              world.watch.sending.checkOrder(message.id, undisturbed(instance));
              world.watch.sending.sent(message);
              world.deliver(message);
            }
          },
          refusal,
          ...(messages.length > 1 && { manners: ['partial'] }),
        });
        known = messages;
      } finally {
        onTaken?.(known.map(({ id }) => id));
      }
    },
  };
  return new RoutedDispatcher({
    destinations: parseDestinations(destinations, 'destinations'),
    transports: { queue: queues, topic: queues, eventBus: queues },
    scheduler: {
      schedule: (message, destination) =>
        instance.call<void>({
          port: 'schedule',
          about: () => message.type,
          perform: async () => {
            world.watch.sending.sent(message);
            await world.scheduler.schedule(message, destination);
          },
          refusal,
        }),
      cancel: (messageId) =>
        instance.call<void>({
          port: 'unschedule',
          about: () => messageId,
          perform: async () => {
            world.watch.sending.checkOrder(`cancel ${messageId}`, undisturbed(instance));
            world.watch.sending.unscheduled(messageId);
            await world.scheduler.cancel(messageId);
          },
          refusal,
        }),
    },
    clock,
  });
}
