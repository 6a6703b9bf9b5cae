import { MemoryOutboxStore } from '../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaLocks } from '../../lib/adapters/memory/saga-locks.ts';
import { MemorySagaStore } from '../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/adapters/memory/storage.ts';
import { MemoryUndispatchedRecords } from '../../lib/adapters/memory/undispatched-records.ts';
import { SagaboxError } from '../../lib/core/failures/errors.ts';
import type { OutgoingMessage } from '../../lib/core/incoming/message.ts';
import { parseDestinations } from '../../lib/core/outgoing/destination.ts';
import type { DispatchOptions } from '../../lib/core/outgoing/dispatch-options.ts';
import type { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import { outboxRecordKey, type SagaIdentity, sagaKey } from '../../lib/core/storage/keys.ts';
import type { RelayPorts } from '../../lib/flow/relay/relay.ts';
import { RoutedDispatcher } from '../../lib/flow/routed-dispatcher.ts';
import type {
  AcquireOutcome,
  Dispatcher,
  LoadCertainty,
  OutboxStore,
  Ports,
  SagaLocks,
  SagaStore,
  UndispatchedRecords,
} from '../../lib/ports.ts';
import type { Manner, Refusal } from './call.ts';
import type { Instance } from './instance.ts';
import { destinations } from './message-script.ts';
import { simulatedCommitter } from './simulated-committer.ts';
import { databaseRefusal, errorAnswer, throttled } from './simulated-refusal.ts';

/** The memory adapters, each call of them in the hands of the simulation. */
export function simulatedPorts(instance: Instance, endpoint: string): Ports {
  return {
    sagas: sagaStore(instance),
    locks: sagaLocks(instance),
    outbox: outboxStore(instance, endpoint),
    committer: simulatedCommitter(instance, endpoint),
    dispatcher: dispatcher(instance),
    clock: instance.clock,
  };
}

export function relayPorts(instance: Instance, endpoint: string): RelayPorts {
  return {
    outbox: watchedOutbox(instance, outboxStore(instance, endpoint)),
    dispatcher: dispatcher(instance),
    clock: instance.clock,
    undispatched: undispatchedRecords(instance, endpoint),
  };
}

/** The relay reads what it has claimed, and tells what it has marked. */
function watchedOutbox(instance: Instance, outbox: OutboxStore): OutboxStore {
  return {
    ...outbox,
    find: (messageId, meter) => {
      const problem = instance.invocation?.relay.reading(messageId);
      if (problem) instance.world.violate('lease', problem);
      return outbox.find(messageId, meter);
    },
    markDispatched: async (record, at, meter) => {
      await outbox.markDispatched(record, at, meter);
      instance.invocation?.relay.marked(record.messageId);
    },
  };
}

function sagaStore(instance: Instance): SagaStore {
  const { watch, scenario } = instance.world;
  const latest = new MemorySagaStore(watch.storage);
  return {
    load: (saga: SagaIdentity, meter: CapacityMeter, certainty: LoadCertainty = 'none') => {
      const canBeStale =
        scenario.mode === 'eventual' && certainty !== 'all' && watch.hasPreviousVersion(saga.id);
      return instance.call({
        port: 'load',
        about: () => `of saga ${saga.id}`,
        perform: async (manner) => {
          const stale = manner === 'stale' && canBeStale ? await staleLoad(instance, saga) : undefined;
          const isAcceptable = manner === 'stale' && canBeStale && (stale || certainty === 'none');
          if (isAcceptable) return stale;
          if (reads(instance, 'saga', sagaKey(saga).partition, meter))
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

async function staleLoad({ world }: Instance, saga: SagaIdentity) {
  const replica = new MemoryStorage();
  const version = world.watch.previousVersion(saga.id, world.random());
  if (version) replica.sagas.set(sagaKey(saga).partition, version);
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
  const about = (saga: SagaIdentity) => () => `of saga ${saga.id}`;
  return {
    tryAcquire: (saga, lease, expected, meter) =>
      instance.call<AcquireOutcome>({
        port: 'acquire',
        about: about(saga),
        perform: () => {
          const held = watch.storage.leases.get(sagaKey(saga).partition);
          if (held && held.owner !== lease.owner) instance.invocation?.disturbances.contention(saga.id);
          const take = () => locks.tryAcquire(saga, lease, expected);
          const outcome = watch.lease('acquire', lease, clock.now(), take);
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
  const call = <T>(
    port: 'mark' | 'keep sent',
    record: { readonly messageId: string },
    meter: CapacityMeter,
    perform: () => Promise<T>,
  ) =>
    instance.call({ port, about: () => `of ${record.messageId}`, perform, refusal: databaseRefusal, meter });
  return {
    find: (messageId, meter) =>
      instance.call({
        port: 'find',
        about: () => `of ${messageId}`,
        perform: () => {
          reads(instance, 'record', outboxRecordKey(endpoint, messageId).partition, meter);
          return outbox.find(messageId);
        },
        refusal: databaseRefusal,
        meter,
      }),
    markDispatched: (record, _at, meter) =>
      call('mark', record, meter, () => watch.mark(record, () => outbox.markDispatched(record))),
    keepSent: (record, sent, meter) =>
      call('keep sent', record, meter, () => watch.keepSent(() => outbox.keepSent(record, sent))),
  };
}

function undispatchedRecords(instance: Instance, endpoint: string): UndispatchedRecords {
  const { watch } = instance.world;
  const records = new MemoryUndispatchedRecords(watch.storage, endpoint);
  const refusal = databaseRefusal;
  return {
    async *find(storedBefore, meter, signal) {
      const perform = async () => {
        const found: string[] = [];
        for await (const messageId of records.find(storedBefore, undefined, signal)) found.push(messageId);
        return found;
      };
      yield* await instance.call({ port: 'search', about: () => '', perform, refusal, meter });
    },
    claim: async (messageId, lease, now, meter, terms) => {
      const perform = () =>
        watch.lease('claim', lease, now, () => records.claim(messageId, lease, now, undefined, terms));
      const outcome = await instance.call({ port: 'claim', about: () => messageId, perform, refusal, meter });
      if (outcome === 'claimed') instance.invocation?.relay.claimed(messageId);
      return outcome;
    },
    postpone: (record, lease, meter, sent) => {
      const { messageId } = record;
      const perform = () =>
        watch.lease('postpone', lease, lease.until, () => records.postpone(record, lease, undefined, sent));
      instance.invocation?.relay.lettingGo(messageId);
      return instance.call({ port: 'postpone', about: () => messageId, perform, refusal, meter });
    },
    release: (messageId, lease, meter) => {
      const perform = () =>
        watch.lease('give back', lease, lease.until, () => records.release(messageId, lease));
      instance.invocation?.relay.lettingGo(messageId);
      return instance.call({ port: 'give back', about: () => messageId, perform, refusal, meter });
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
    dispatch: async (messages: readonly OutgoingMessage[], { onTaken }: DispatchOptions = {}) => {
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
