import { describe, expect, it } from '@jest/globals';
import { relayOutbox } from '../../../lib/compose/relay/relay-outbox.ts';
import { relayedEndpoints } from '../../../lib/compose/relay/relayed-endpoints.ts';
import { relaySetting } from '../../../lib/settings/relay.ts';
import type { Environment } from '../../../lib/settings/setting.ts';

const common: Environment = { SAGABOX_OUTBOX_TABLE: 'outbox', SAGABOX_DEDUPLICATION_PERIOD_SECONDS: '60' };
const stating = (relay: object): Environment => ({
  ...common,
  [relaySetting.variable]: JSON.stringify(relay),
});

describe('the endpoints of a relay', () => {
  it('are one, unless several are named', () => {
    const options = { endpoint: 'orders' };
    expect(relayedEndpoints(options, common)).toEqual([{ options, environment: common }]);
    expect(relayedEndpoints({}, stating({ strategy: 'scan' }))).toHaveLength(1);
  });

  it('come from options, each with what is its own before what is of all', () => {
    const found = relayedEndpoints(
      {
        strategy: 'scan',
        deduplicationPeriod: { days: 1 },
        endpoints: [{ endpoint: 'orders' }, { endpoint: 'billing', deduplicationPeriod: { days: 2 } }],
      },
      common,
    );
    expect(found.map(({ options }) => options)).toEqual([
      { strategy: 'scan', endpoint: 'orders', deduplicationPeriod: { days: 1 } },
      { strategy: 'scan', endpoint: 'billing', deduplicationPeriod: { days: 2 } },
    ]);
  });

  it('come from the environment, each with its own variables before those of all', () => {
    const exceptions = {
      billing: { SAGABOX_DEDUPLICATION_PERIOD_SECONDS: '120', SAGABOX_SCHEDULER: { groupName: 'own' } },
    };
    const environment = stating({ endpoints: ['orders', 'billing'], exceptions });
    const found = relayedEndpoints({}, environment).map((each) => each.environment);
    expect(found).toEqual([
      { ...environment, SAGABOX_ENDPOINT: 'orders' },
      {
        ...environment,
        SAGABOX_ENDPOINT: 'billing',
        SAGABOX_DEDUPLICATION_PERIOD_SECONDS: '120',
        SAGABOX_SCHEDULER: '{"groupName":"own"}',
      },
    ]);
  });

  it('of the environment give way to the endpoint of an option', () => {
    const environment = stating({ endpoints: ['orders', 'billing'] });
    expect(relayedEndpoints({ endpoint: 'shipping' }, environment)).toHaveLength(1);
  });

  it.each<[object, string]>([
    [{ endpoints: [] }, 'endpoints: they are none'],
    [{ endpoints: [{ endpoint: 'a' }, { endpoint: 'a' }] }, "endpoints: 'a' is named twice"],
    [{ endpoints: [{}] }, 'endpoints: undefined cannot be part of a key'],
    [{ endpoints: ['orders'] }, 'the options of an endpoint of relayOutbox: "orders" is not an object'],
    [{ endpoints: [{ endpoint: 'a#b' }] }, 'cannot be part of a key'],
    [{ endpoints: { endpoint: 'a' } }, 'endpoints: it is {'],
    [{ endpoint: 'a', endpoints: [{ endpoint: 'b' }] }, "endpoints: the option 'endpoint' is given too"],
  ])('as in %j are refused', (options, problem) => {
    expect(() => relayOutbox(options)).toThrow(problem);
  });

  it.each<[object, string]>([
    [{ endpoints: [] }, 'endpoints of SAGABOX_RELAY: they are none'],
    [{ endpoints: ['a', 'a'] }, "'a' is named twice"],
    [{ endpoints: [1] }, 'cannot be part of a key'],
    [{ endpoints: 'a' }, 'its endpoints are no array'],
    [{ endpoints: ['a'], exceptions: [] }, 'its exceptions are no variables by endpoint'],
    [{ endpoints: ['a'], exceptions: { a: 'SAGABOX_SCHEDULER' } }, 'its exceptions are no variables'],
  ])('stated as %j are refused', (relay, problem) => {
    expect(() => relayedEndpoints({}, stating(relay))).toThrow(problem);
  });
});
