import { describe, expect, it } from '@jest/globals';
import { type App, Fn, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  type CfnTable,
  Table,
  TableEncryption,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import type { AnyTable } from '../../../lib/constructs/construct-types.ts';
import {
  expectViolation,
  inlineEndpoint,
  policyStatements,
  propertiesOf,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const here = { account: '111111111111', region: 'eu-west-1' };
const arnIn = (account: string, region: string, name = 'given') =>
  `arn:aws:dynamodb:${region}:${account}:table/${name}`;

/** As CDK formats it, with the partition that it is deployed to. */
const inPartition = (arn: string) => ({
  'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, arn.slice('arn:aws'.length)]],
});

/** A stack with an account and a region, and one of another account. */
function stacks() {
  const app = unbundledStack().node.root as App;
  const stack = new Stack(app, 'Here', { env: here });
  return { stack, other: new Stack(app, 'There', { env: { ...here, account: '222222222222' } }) };
}

/** A table that another account can use. */
const named = { tableName: 'records', encryption: TableEncryption.DEFAULT };

const byArn = (stack: Stack, arn: string, id = 'Given') => Table.fromTableArn(stack, id, arn);

describe('a table of another account', () => {
  it('is addressed by its ARN, that of the own account by its name', () => {
    for (const [account, address] of [
      ['111111111111', 'given'],
      ['222222222222', arnIn('222222222222', 'eu-west-1')],
    ] as const) {
      const { stack } = stacks();
      inlineEndpoint(stack, 'Orders', { outboxTable: byArn(stack, arnIn(account, 'eu-west-1')) });
      expect(variablesOf(stack, 'OrdersOwn').SAGABOX_OUTBOX_TABLE).toBe(address);
      const resources = policyStatements(stack).map(({ Resource }) => Resource);
      expect(resources).toContain(arnIn(account, 'eu-west-1'));
    }
  });

  it.each<[string, (stack: Stack) => AnyTable, unknown]>([
    [
      'its ARN where that may be another account',
      (stack) => byArn(stack, arnIn('222222222222', 'eu-west-1')),
      arnIn('222222222222', 'eu-west-1'),
    ],
    [
      'its ARN where that is known only at deployment',
      (stack) => byArn(stack, Fn.importValue('TableArn')),
      { 'Fn::ImportValue': 'TableArn' },
    ],
    [
      'its ARN where it is made in a stack of that account',
      (stack) =>
        new OutboxTable(new Stack(stack.node.root as App, 'Data', { env: here }), 'T', {
          tableName: 'given',
        }),
      inPartition(arnIn('111111111111', 'eu-west-1')),
    ],
    [
      'its name in the account of the stack',
      (stack) => OutboxTable.fromTableName(stack, 'T', 'given'),
      'given',
    ],
    [
      'its name in a stack of no account either',
      (stack) => new OutboxTable(new Stack(stack.node.root as App, 'Data'), 'T', { tableName: 'given' }),
      expect.objectContaining({ 'Fn::ImportValue': expect.anything() }),
    ],
  ])('is known by %s, if the stack does not say its own', (_, table, address) => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', { outboxTable: table(stack) });
    expect(violationsOf(stack)).toBe('');
    expect(variablesOf(stack, 'OrdersOwn').SAGABOX_OUTBOX_TABLE).toEqual(address);
  });

  it('trusts the account of the endpoint when it is made in the app', () => {
    const { stack, other } = stacks();
    const outboxTable = new OutboxTable(other, 'Outbox', named);
    const endpoint = inlineEndpoint(stack, 'Orders', { outboxTable });
    new OutboxRelay(stack, 'Relay', { endpoints: [endpoint] });
    const arn = JSON.stringify(arnIn('222222222222', 'eu-west-1', 'records').split(':').at(-1));
    expect(JSON.stringify(variablesOf(stack, 'OrdersOwn').SAGABOX_OUTBOX_TABLE)).toContain(arn.slice(1, -1));
    const { ResourcePolicy } = propertiesOf(other, 'AWS::DynamoDB::Table') as {
      ResourcePolicy: { PolicyDocument: { Statement: { Action: string[]; Principal: unknown }[] } };
    };
    const [statement] = ResourcePolicy.PolicyDocument.Statement;
    expect(statement?.Action).toContain('dynamodb:PutItem');
    expect(JSON.stringify(statement?.Principal)).toContain('111111111111');
  });

  it.each([[undefined], [{ sagas: ['OrderSaga'] }]])(
    'allows the account the scan of its relay, whatever keys its endpoint may access: %j',
    (leadingKeys) => {
      const { stack, other } = stacks();
      const outboxTable = new OutboxTable(other, 'Outbox', named);
      const endpoint = inlineEndpoint(stack, 'Orders', { outboxTable, ...(leadingKeys && { leadingKeys }) });
      new OutboxRelay(stack, 'Relay', { endpoints: [endpoint], strategy: 'scan' });
      const { ResourcePolicy } = propertiesOf(other, 'AWS::DynamoDB::Table') as {
        ResourcePolicy: {
          PolicyDocument: { Statement: { Action: string | string[]; Principal: unknown }[] };
        };
      };
      const scans = ({ Action }: { Action: string | string[] }) => [Action].flat().includes('dynamodb:Scan');
      const trusting = ResourcePolicy.PolicyDocument.Statement.filter(scans);
      expect(trusting.map(({ Principal }) => JSON.stringify(Principal))).toEqual([
        expect.stringContaining('111111111111'),
      ]);
      // A condition on keys would refuse a scan, which names none.
      const own = policyStatements(stack, 'RelayFunction').filter(scans);
      expect(own).toHaveLength(1);
      expect(own[0]).not.toHaveProperty('Condition');
    },
  );

  it('of the own account has no policy', () => {
    const { stack } = stacks();
    inlineEndpoint(stack, 'Orders', { outboxTable: new OutboxTable(stack, 'Outbox') });
    expect(propertiesOf(stack, 'AWS::DynamoDB::Table')).not.toHaveProperty('ResourcePolicy');
  });

  it.each([
    ['records', ''],
    [
      undefined,
      "outboxTable: 'There/Outbox' is in account 222222222222, region eu-west-1, and 'Here/Orders' in account 111111111111",
    ],
  ])('needs a name, such as %s', (tableName, violation) => {
    const { stack, other } = stacks();
    const outboxTable = new OutboxTable(other, 'Outbox', {
      encryption: TableEncryption.DEFAULT,
      ...(tableName === undefined ? {} : { tableName }),
    });
    inlineEndpoint(stack, 'Orders', { outboxTable });
    expectViolation(stack, violation);
  });
});

describe('a customer managed key of a table of another account', () => {
  const violation =
    "outboxTable: the key of 'There/Outbox', 'There/Key' is in account 222222222222, region eu-west-1, and 'Here/Orders' in " +
    'account 111111111111';
  const tableWith = (key: (stack: Stack) => IKey) => {
    const { stack, other } = stacks();
    const outboxTable = new OutboxTable(other, 'Outbox', { tableName: 'records', encryptionKey: key(other) });
    inlineEndpoint(stack, 'Orders', { outboxTable, batchSize: 0 });
    return stack;
  };

  it('is refused when the app makes it, with all else that is wrong', () => {
    const found = violationsOf(tableWith((stack) => new Key(stack, 'Key')));
    expect(found).toContain(violation);
    expect(found).toContain('batchSize: 0 is out of range');
  });

  it('is used when it is imported by its ARN', () => {
    const arn = 'arn:aws:kms:eu-west-1:222222222222:key/1';
    const stack = tableWith((other) => Key.fromKeyArn(other, 'Key', arn));
    expect(violationsOf(stack)).not.toContain(violation);
    const { stack: sound, other } = stacks();
    const encryptionKey = Key.fromKeyArn(other, 'Key', arn);
    const outboxTable = new OutboxTable(other, 'Outbox', { tableName: 'records', encryptionKey });
    inlineEndpoint(sound, 'Orders', { outboxTable });
    expect(policyStatements(sound).map(({ Resource }) => Resource)).toContain(arn);
  });
});

describe('the key of AWS for a table of another account', () => {
  const violation =
    "outboxTable: 'There/Outbox' has a key of AWS (TableEncryption.AWS_MANAGED), which no other account can use";
  const parts = (encryption?: TableEncryption) => {
    const { stack, other } = stacks();
    const outboxTable = new OutboxTable(other, 'Outbox', {
      tableName: 'records',
      ...(encryption === undefined ? {} : { encryption }),
    });
    inlineEndpoint(stack, 'Orders', { outboxTable });
    return { stack, resource: outboxTable.node.defaultChild as CfnTable };
  };

  it.each([
    [undefined, true],
    [TableEncryption.AWS_MANAGED, true],
    [TableEncryption.DEFAULT, false],
  ])('is refused: %s, %s', (encryption, isRefused) => {
    const found = violationsOf(parts(encryption).stack);
    if (isRefused) expect(found).toContain(violation);
    else expect(found).toBe('');
  });

  it('is refused by what an override says', () => {
    const { stack, resource } = parts(TableEncryption.DEFAULT);
    resource.addPropertyOverride('SSESpecification', { SSEEnabled: true });
    expect(violationsOf(stack)).toContain(violation);
  });

  it('is refused of a table with replicas', () => {
    const { stack, other } = stacks();
    const outboxTable = new TableV2(other, 'Outbox', {
      tableName: 'records',
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      timeToLiveAttribute: 'ExpiresAt',
      encryption: TableEncryptionV2.awsManagedKey(),
    });
    inlineEndpoint(stack, 'Orders', { outboxTable });
    expect(violationsOf(stack)).toContain(violation);
  });
});

type MakeTables = (stack: Stack) => { sagaTable?: AnyTable; outboxTable?: AnyTable };
const cases: [string, MakeTables, string][] = [
  ['of the region', (stack) => ({ outboxTable: byArn(stack, arnIn('111111111111', 'eu-west-1')) }), ''],
  [
    'of another region',
    (stack) => ({ outboxTable: byArn(stack, arnIn('111111111111', 'us-east-1')) }),
    "outboxTable: 'Here/Given' is in 'us-east-1', and the endpoint in 'eu-west-1'",
  ],
  [
    'of one other account',
    (stack) => ({
      sagaTable: byArn(stack, arnIn('222222222222', 'eu-west-1', 'a'), 'A'),
      outboxTable: byArn(stack, arnIn('222222222222', 'eu-west-1', 'b'), 'B'),
    }),
    '',
  ],
  [
    'of two accounts',
    (stack) => ({
      sagaTable: SagaTable.fromTableName(stack, 'A', 'a'),
      outboxTable: byArn(stack, arnIn('222222222222', 'eu-west-1', 'b'), 'B'),
    }),
    "sagaTable, outboxTable: they are of the accounts '111111111111' and '222222222222'",
  ],
];

it.each(cases)('tables %s', (_case, tables, violation) => {
  const { stack } = stacks();
  inlineEndpoint(stack, 'Orders', tables(stack));
  expectViolation(stack, violation);
});
