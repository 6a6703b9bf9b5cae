import { describe, expect, it } from '@jest/globals';
import { openTelemetry } from 'sagabox/opentelemetry';
import { configureFlow } from '../../lib/compose/configure-flow.ts';
import { embeddedOutbox } from '../../lib/compose/embedded-outbox/embedded-outbox.ts';
import { configureRelay } from '../../lib/compose/relay/configure-relay.ts';
import { TracedDispatcher } from '../../lib/opentelemetry/traced-dispatcher.ts';
import { MemorySagaLocks } from '../../lib/testing/memory/saga-locks.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { placedSaga as saga } from '../support/order-sagas.ts';

it('takes the locks of the ports that are given, and none of DynamoDB beside them', () => {
  const { storage, ports } = memoryPorts();
  const locks = new MemorySagaLocks(storage, ports.sagas, ports.clock);
  const options = { endpoint: 'orders', saga, locking: { mode: 'pessimistic' } } as const;
  expect(configureFlow({ ...options, ports: { ...ports, locks } }, {}).leases?.locks).toBe(locks);
  expect(() => configureFlow({ ...options, ports }, {})).toThrow(/ports.*have no locks/);
});

it('keeps what was handled where its saga says, and without an outbox nowhere', () => {
  const { ports } = memoryPorts();
  const outboxOf = (rules: object, options: object = {}) => {
    const { isKept, isInSagaItem } = configureFlow(
      { endpoint: 'orders', saga: { ...saga, ...rules }, ports, ...options },
      {},
    ).outbox;
    return { isKept, isInSagaItem };
  };
  expect(outboxOf({})).toEqual({ isKept: true, isInSagaItem: false });
  for (const outbox of [embeddedOutbox(), embeddedOutbox({ withRecords: true })])
    expect(outboxOf({ outbox })).toEqual({ isKept: true, isInSagaItem: true });
  expect(outboxOf({}, { outbox: false })).toEqual({ isKept: false, isInSagaItem: false });
});

it('refuses a saga with contributions on ports without them, whose committer would lose what is appended', () => {
  const { ports } = memoryPorts();
  const configure = (rules: object) => () =>
    configureFlow({ endpoint: 'orders', saga: { ...saga, ...rules }, ports }, {});
  for (const role of ['appendedBy', 'collectedBy'])
    expect(configure({ [role]: new Set(['OrderPlaced']) })).toThrow(/ports.*have no 'contributions'/);
  expect(configure({})).not.toThrow();
});

describe("a saga in a store of the user's", () => {
  const sagaStore = { keepsDetails: true, load: async () => undefined, writesOf: () => [] };
  const environment = { SAGABOX_OUTBOX_TABLE: 'outbox' };
  const configure = (rules: object, options: object = {}) =>
    configureFlow({ endpoint: 'orders', saga: { ...saga, ...rules }, sagaStore, ...options }, environment);

  it('needs no saga table, and has no locks and no contributions', () => {
    const { ports, leases } = configure({});
    expect([ports.locks, ports.contributions, ports.embedded, leases]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ outbox: embeddedOutbox() }, {}, 'an embedded outbox'],
    [{ outbox: embeddedOutbox({ withRecords: true }) }, {}, 'an embedded outbox'],
    [{ appendedBy: new Set(['OrderPlaced']) }, {}, 'appendedBy or collectedBy'],
    [{ collectedBy: new Set(['OrderPlaced']) }, {}, 'appendedBy or collectedBy'],
    [{ compressesState: true }, {}, 'state: { compress: true }'],
    [{ hasOwnState: true }, {}, 'the state of a scatterGather'],
    [{}, { outbox: false }, 'outbox: false'],
    [
      { stateVersion: 2 },
      { sagaStore: { ...sagaStore, keepsDetails: false } },
      'migrate, and a store without keepsDetails',
    ],
    [{}, { locking: { mode: 'pessimistic' } }, "locking: { mode: 'pessimistic' }"],
    [{}, { locking: { mode: 'optimistic', consistentRead: false } }, 'locking: { consistentRead: false }'],
  ])('is refused what rests on the item of the saga table: %j %j', (rules, options, setting) => {
    expect(() => configure(rules, options)).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        message: `sagaStore: the 'Order' saga has ${setting}, which a saga store of your own does not take. Leave that out, or give the saga a function without sagaStore.`,
      }),
    );
  });
});

describe('a saga with an embedded outbox', () => {
  const embedded = { ...saga, outbox: embeddedOutbox() };
  const tables = { SAGABOX_SAGA_TABLE: 'sagas', SAGABOX_OUTBOX_TABLE: 'outbox' };
  const ofConstruct = { ...tables, SAGABOX_ENDPOINT: 'orders', SAGABOX_ACCOUNT_ID: '123456789012' };
  const options = { endpoint: 'orders', destinations: {} };

  it.each([
    ['whose construct says so', embedded, { ...ofConstruct, SAGABOX_EMBEDDED_OUTBOX: 'true' }],
    ['that no construct made', embedded, tables],
    ['without it', saga, ofConstruct],
  ])('is taken at an endpoint %s', (_which, of, environment) => {
    expect(configureFlow({ ...options, saga: of }, environment).saga).toBe(of);
  });

  it('is refused at one whose construct does not say so, as its relay would not look for what it leaves', () => {
    expect(() => configureFlow({ ...options, saga: embedded }, ofConstruct)).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        message: expect.stringMatching(
          /embeddedOutbox .*'Order' has an embedded outbox, .*Set embeddedOutbox: true on the MessageEndpoint/,
        ),
      }),
    );
    const ports = { ...memoryPorts().ports, embedded: {} as never };
    expect(configureFlow({ ...options, saga: embedded, ports }, ofConstruct).outbox.isInSagaItem).toBe(true);
  });

  it('is refused with a deduplication period of less than the hour that its inbox is exact to', () => {
    const within = (seconds: number) => () =>
      configureFlow({ ...options, saga: embedded, deduplicationPeriod: { seconds } }, tables);
    expect(within(3_600)).not.toThrow();
    expect(within(3_599)).toThrow(/deduplicationPeriod .*3599 s is less than the hour .*'Order'/);
  });
});

it('dispatches in spans with tracing only, also for the relay', () => {
  const { ports } = memoryPorts();
  const options = { endpoint: 'orders', ports };
  expect(configureFlow(options, {}).ports).toBe(ports);
  const tracing = openTelemetry();
  expect(configureFlow({ ...options, tracing }, {}).ports.dispatcher).toBeInstanceOf(TracedDispatcher);

  const relay = { endpoint: 'orders', outboxTable: { tableName: 'outbox' }, destinations: {}, tracing };
  expect(configureRelay(relay, {}).ports.dispatcher).toBeInstanceOf(TracedDispatcher);
});
