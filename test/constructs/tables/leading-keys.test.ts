import { describe, expect, it } from '@jest/globals';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { MessagingTable, OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import { outboxRecordKey, sagaKey, unsentPartition } from '../../../lib/dynamodb/keys.ts';
import {
  expectViolation,
  inlineEndpoint,
  ordersEndpoint,
  policyStatements,
  type Statement,
  unbundledStack,
  violationsOf,
} from '../support.ts';

/** The patterns of partition keys that the statements on tables are restricted to. */
function patternsOf(statements: readonly Statement[]): string[][] {
  return statements
    .filter(({ Action }) => String(Action).includes('dynamodb:'))
    .map((statement) => {
      const { Condition } = statement as { Condition?: Record<string, Record<string, string | string[]>> };
      if (Condition === undefined) return [];
      expect(Condition.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
      return [Condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat();
    });
}

const matches = (pattern: string, key: string) => key.startsWith(pattern.slice(0, -1));
const sagas = ['OrderSaga', 'Refund'];

describe('the statements of the tables', () => {
  it('are not restricted by default', () => {
    const { stack } = ordersEndpoint((scope) => ({ sagaTable: new SagaTable(scope, 'Sagas') }));
    expect(patternsOf(policyStatements(stack))).toEqual([[]]);
  });

  it('are restricted to the sagas and the records of the endpoint', () => {
    const { stack } = ordersEndpoint((scope) => ({
      sagaTable: new SagaTable(scope, 'Sagas'),
      outboxTable: new OutboxTable(scope, 'Outbox'),
      leadingKeys: { sagas },
    }));
    const [ofSagas = [], ofOutbox = []] = patternsOf(policyStatements(stack));
    expect(ofSagas).toEqual(['SAGA#OrderSaga#*', 'SAGA#Refund#*']);
    expect(ofOutbox).toEqual(['OUTBOX#orders#*']);
    const { partition: saga } = sagaKey({ name: 'Refund', id: '7' });
    const { partition: record } = outboxRecordKey('orders', 'm1');
    expect(ofSagas.some((pattern) => matches(pattern, saga))).toBe(true);
    expect(ofOutbox.some((pattern) => matches(pattern, record))).toBe(true);
  });

  it('are restricted to both on a table for both', () => {
    const { stack } = ordersEndpoint((scope) => {
      const table = new MessagingTable(scope, 'Both');
      return { sagaTable: table, outboxTable: table, leadingKeys: { sagas } };
    });
    expect(patternsOf(policyStatements(stack))).toEqual([
      ['SAGA#OrderSaga#*', 'SAGA#Refund#*', 'OUTBOX#orders#*'],
    ]);
  });
});

describe('the relay', () => {
  const watcherOf = (isRestricted: boolean) => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
    const props = { outboxTable, ...(isRestricted && { leadingKeys: { sagas: [] } }) };
    new OutboxRelay(stack, 'Relay', { endpoints: [inlineEndpoint(stack, 'Orders', props)] });
    return policyStatements(stack, 'RelayWatcher').map((statement) => [
      [statement.Action].flat(),
      patternsOf([statement])[0],
    ]);
  };
  const relayOf = (strategy: 'stream' | 'scan', ...restricted: readonly boolean[]) => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
    const endpoints = restricted.map((isRestricted, index) =>
      inlineEndpoint(stack, `Endpoint${index}`, {
        outboxTable,
        ...(isRestricted && { leadingKeys: { sagas: [] } }),
      }),
    );
    new OutboxRelay(stack, 'Relay', { endpoints, strategy });
    const statements = policyStatements(stack, 'RelayFunction').filter(({ Action }) =>
      String(Action).includes('dynamodb:'),
    );
    return statements.map((statement) => [[statement.Action].flat(), patternsOf([statement])[0]]);
  };
  const onRecords = ['BatchGetItem', 'BatchWriteItem', 'Query', 'UpdateItem'].map(
    (name) => `dynamodb:${name}`,
  );
  const records = ['OUTBOX#endpoint0#*', 'OUTBOX#endpoint1#*'];

  it('is restricted to the records and the lists of its endpoints, its look at the table is not', () => {
    const onLists = ['BatchGetItem', 'DeleteItem', 'Query', 'UpdateItem'].map((name) => `dynamodb:${name}`);
    const lists = [onLists, ['UNSENT#endpoint0', 'UNSENT#endpoint1']];
    const look = [['dynamodb:DescribeTable'], []];
    expect(relayOf('stream', true, true)).toEqual([[onRecords, records], lists, look]);
    expect(relayOf('stream', true, false)).toEqual([[onRecords, records], lists, look]);
    const all = [[...new Set([...onRecords, ...onLists])].toSorted(), []];
    expect(relayOf('stream', false, false)).toEqual([all, look]);
  });

  it('has a watcher that may write lists and nothing else, once an endpoint is restricted', () => {
    const [partition, other] = [unsentPartition('billing'), outboxRecordKey('billing', 'm1').partition];
    const writes = (isRestricted: boolean) =>
      watcherOf(isRestricted).filter(([actions]) => String(actions).includes('PutItem'));
    expect(writes(true)).toEqual([[['dynamodb:PutItem'], ['UNSENT#*']]]);
    expect([partition, other].map((key) => matches('UNSENT#*', key))).toEqual([true, false]);
    expect(writes(false)).toEqual([[['dynamodb:BatchGetItem', 'dynamodb:PutItem'], []]]);
  });

  it('has a Scan in a statement of its own then, without a condition', () => {
    expect(relayOf('scan', true, true)).toEqual([
      [onRecords, records],
      [['dynamodb:Scan'], []],
      // That the scan was made is kept there.
      [
        ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'],
        ['UNSENT#endpoint0', 'UNSENT#endpoint1'],
      ],
    ]);
    expect(relayOf('scan', false)).toEqual([[[...onRecords, 'dynamodb:Scan'].toSorted(), []]]);
  });

  it('is restricted to the sagas with an embedded outbox once all of their endpoints name theirs', () => {
    const conditionsOf = (...named: readonly boolean[]) => {
      const stack = unbundledStack();
      const outboxTable = new OutboxTable(stack, 'Outbox');
      const sagaTable = new SagaTable(stack, 'Sagas');
      const endpoints = named.map((isNamed, index) =>
        inlineEndpoint(stack, `Endpoint${index}`, {
          outboxTable,
          sagaTable,
          embeddedOutbox: true,
          ...(isNamed && { leadingKeys: { sagas: [`Saga${index}`] } }),
        }),
      );
      new OutboxRelay(stack, 'Relay', { endpoints });
      const statements = policyStatements(stack, 'Relay').filter(({ Action }) =>
        /PartiQL|Scan/.test(String(Action)),
      );
      return patternsOf(statements);
    };
    expect(conditionsOf(true, true)).toEqual([[], ['SAGA#Saga0#*', 'SAGA#Saga1#*']]);
    expect(conditionsOf(true, false)).toEqual([[], []]);
  });

  it('refuses the name of an endpoint that IAM reads as a pattern', () => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox');
    const open = inlineEndpoint(stack, 'Open', { outboxTable, endpointName: 'all*' });
    const restricted = inlineEndpoint(stack, 'Restricted', { outboxTable, leadingKeys: { sagas: [] } });
    new OutboxRelay(stack, 'Alone', { endpoints: [open] });
    new OutboxRelay(stack, 'Relay', { endpoints: [open, restricted] });
    const found = violationsOf(stack);
    expect(found).toContain("[Test/Relay] leadingKeys: 'all*' has a character");
    expect(found).not.toContain('[Test/Alone] leadingKeys');
  });
});

describe('who operates an endpoint', () => {
  const operated = (isRestricted: boolean) => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      sagaTable: new SagaTable(scope, 'Sagas'),
      outboxTable: new OutboxTable(scope, 'Outbox', { relayStream: true }),
      ...(isRestricted && { leadingKeys: { sagas } }),
    }));
    orders.grantOperate(new Role(stack, 'Operator', { assumedBy: new AccountPrincipal('111111111111') }));
    return patternsOf(policyStatements(stack, 'Operator'));
  };

  it('is restricted as its function is, except to scan', () => {
    const ofOutbox = ['OUTBOX#orders#*'];
    const ofSagas = ['SAGA#OrderSaga#*', 'SAGA#Refund#*'];
    expect(operated(true)).toEqual([ofSagas, ofOutbox, ofOutbox, ['UNSENT#orders'], []]);
    expect(operated(false)).toEqual([[], [], []]);
  });
});

it.each([
  [{ endpointName: 'orders' }, ['Order'], ''],
  [
    { endpointName: 'orders' },
    ['Order*'],
    "leadingKeys: 'Order*' has a character that IAM reads as a pattern",
  ],
  [{ endpointName: 'orders' }, ['Order?'], "leadingKeys: 'Order?' has"],
  [{ endpointName: 'ord*' }, ['Order'], "leadingKeys: 'ord*' has"],
  [{ endpointName: 'orders' }, [`\${aws:username}`], 'leadingKeys: '],
  [{ endpointName: 'orders' }, [], 'leadingKeys: sagas is empty'],
])('names of %j and %j', (props, names, violation) => {
  const { stack } = ordersEndpoint((scope) => ({
    ...props,
    sagaTable: new SagaTable(scope, 'Sagas'),
    leadingKeys: { sagas: names },
  }));
  expectViolation(stack, violation);
});
