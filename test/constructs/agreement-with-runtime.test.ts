import { describe, expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { optionDefaults } from 'sagabox';
import { workloadDefaults } from 'sagabox/capacity';
import { ClaimCheckBucket, OutboxTable, SagaTable } from 'sagabox/constructs';
import { minDeduplicationPeriod } from '../../lib/constructs/endpoint/endpoint-settings.ts';
import { allSettings } from '../support/all-settings.ts';
import { ordersEndpoint, variablesOf } from './support.ts';

/**
 * The constructs may not import the runtime, so that both say some things: here they are held to the same.
 */
describe('constructs and runtime', () => {
  it('agree on the environment variables', () => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      sagaTable: new SagaTable(scope, 'Sagas', { relayStream: true }),
      outboxTable: new OutboxTable(scope, 'Outbox', { relayStream: true }),
      scheduler: true,
      metricsNamespace: 'Shop',
      metricsByMessageType: true,
      embeddedOutbox: true,
      claimCheck: new ClaimCheckBucket(scope, 'Bodies'),
    }));
    orders.publishesTo(new Topic(stack, 'Events'));
    // The operation is set for functions of a SendOnlyEndpoint alone, the others for those of a relay.
    const ofOthers = ['SAGABOX_OPERATION', 'SAGABOX_RELAY', 'SAGABOX_WATCHER'];
    const all = allSettings.map(({ variable }) => variable);
    expect([...Object.keys(variablesOf(stack, 'Own')), ...ofOthers].sort()).toEqual(all.sort());
  });

  it('agree on how long a handled message is remembered at least', () => {
    const { days } = optionDefaults.deduplicationPeriod;
    expect(minDeduplicationPeriod.toSeconds()).toBe(Duration.days(days).toSeconds());
  });

  it('agree with the planner on how long a handled message is remembered', () => {
    const { orders } = ordersEndpoint((scope) => ({ outboxTable: new OutboxTable(scope, 'Outbox') }));
    const { days } = workloadDefaults.deduplicationPeriod;
    expect(orders.deduplicationPeriod.toDays()).toBe(days);
  });
});
