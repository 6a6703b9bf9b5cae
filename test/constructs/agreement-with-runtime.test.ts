import { describe, expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { optionDefaults, sagaboxEnvironmentVariables } from 'sagabox';
import { ClaimCheckBucket, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import { endpointDefaults } from '../../lib/constructs/endpoint/endpoint-settings.ts';
import { tableDefaults } from '../../lib/core/storage/table-defaults.ts';
import { inlineFunction, propertiesOf, unbundledStack } from './support.ts';
import { variablesOf } from './variables.ts';

/**
 * The constructs may not import the runtime, so that both say some things: here they are held to the same.
 */
describe('constructs and runtime', () => {
  it('agree on the environment variables', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', {
      function: inlineFunction(stack, 'Own'),
      sagaTable: new SagaTable(stack, 'Sagas'),
      outboxTable: new OutboxTable(stack, 'Outbox', { relayIndex: true }),
      scheduler: true,
      claimCheck: new ClaimCheckBucket(stack, 'Bodies'),
    });
    orders.publishesTo(new Topic(stack, 'Events'));
    const { relay, ...ofEndpoints } = sagaboxEnvironmentVariables;
    expect(Object.keys(variablesOf(stack, 'Own')).sort()).toEqual(Object.values(ofEndpoints).sort());
    expect(relay).toBe('SAGABOX_RELAY');
  });

  it('agree on how long a handled message is remembered at least', () => {
    const { days } = optionDefaults.deduplicationPeriod;
    expect(endpointDefaults.minDeduplicationPeriod.toSeconds()).toBe(Duration.days(days).toSeconds());
  });

  it('agree on the keys and the TTL attribute of a table', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas');
    expect(propertiesOf(stack, 'AWS::DynamoDB::Table')).toMatchObject({
      KeySchema: [
        { AttributeName: tableDefaults.partitionKeyName, KeyType: 'HASH' },
        { AttributeName: tableDefaults.sortKeyName, KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: tableDefaults.timeToLiveAttributeName },
    });
  });
});
