import { beforeEach, describe, expect, it } from '@jest/globals';
import { SagaboxError } from 'sagabox';
import { dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { withSkewedClock } from '../support/skewed-clock.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';

let endpoint: CounterEndpoint;

beforeEach(async () => {
  endpoint = await counterEndpoint({
    mode: 'pessimistic',
    leaseDuration: { milliseconds: 150 },
    minRefreshDelay: { milliseconds: 5 },
    maxRefreshDelay: { milliseconds: 20 },
  });
});

describe('I2, I3, I4: functions whose clocks are two seconds apart', () => {
  it('apply each message once, whoever takes whose lease', async () => {
    const messages = Array.from({ length: 15 }, (_, index) =>
      record('Counted', { counter: 'hot', note: String(index) }, `message-${index}`),
    );
    const clients = [-2000, 0, 2000].map((skewMs) => withSkewedClock(dynamoDBClient(), skewMs));
    for (let pending = messages; pending.length > 0; ) {
      const deliveries = pending.map(async (message, index) => {
        const client = clients[index % clients.length];
        return await endpoint.deliver([message], client && { dynamoDBClient: client });
      });
      const failed = (await Promise.all(deliveries)).flat();
      pending = pending.filter(({ messageId }) => failed.includes(messageId));
    }

    // The clocks did lead to leases that were taken too early.
    const codes = endpoint.reports.map(({ error }) =>
      error instanceof SagaboxError ? error.code : undefined,
    );
    expect(codes).toContain('SagaConcurrency');
    const state = await endpoint.state('hot');
    expect(state?.count).toBe(15);
    expect(new Set(state?.handled).size).toBe(15);
    expect(new Set((await endpoint.arrived('billing')).map(({ id }) => id)).size).toBe(15);
    expect(await endpoint.undispatchedRecords()).toBe(0);
  });
});
