import { describe, expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { defaults, environmentVariables } from 'sagabox';
import { MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import { endpointDefaults } from '../../lib/constructs/endpoint-settings.ts';
import { tableDefaults } from '../../lib/core/table-defaults.ts';
import { inlineFunction, propertiesOf, unbundledStack } from './support.ts';

/** The constructs may not import the runtime, so that both say some things: here they are held to the same. */
describe('constructs and runtime', () => {
  it('agree on the environment variables', () => {
    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', {
      function: inlineFunction(stack, 'Own'),
      sagaTable: new SagaTable(stack, 'Sagas'),
      outboxTable: new OutboxTable(stack, 'Outbox'),
    });
    const { Variables } = propertiesOf(stack, 'AWS::Lambda::Function').Environment as { Variables: object };
    expect(Object.keys(Variables).sort()).toEqual(Object.values(environmentVariables).sort());
  });

  it('agree on how long a handled message is remembered', () => {
    const { days } = defaults.timeToKeepDeduplicationData;
    expect(endpointDefaults.timeToKeepDeduplicationData.toSeconds()).toBe(Duration.days(days).toSeconds());
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
