import { describe, expect, it } from '@jest/globals';
import { App, Lazy, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { BackupPlan } from 'aws-cdk-lib/aws-backup';
import {
  type CfnTable,
  ContributorInsightsMode,
  TableClass,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type MessagingTableProps, OutboxTable, SagaTable } from 'sagabox/constructs';
import { propertiesOf, startsWith, unbundledStack, violationsOf } from '../support.ts';

const TABLE = 'AWS::DynamoDB::Table';

function tableWith(props: MessagingTableProps) {
  const stack = unbundledStack();
  new OutboxTable(stack, 'Outbox', props);
  return stack;
}

describe('a table', () => {
  it('can keep less than 35 days for point-in-time recovery', () => {
    expect(propertiesOf(tableWith({ recoveryPeriodInDays: 7 }), TABLE)).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 },
    });
  });

  it('can have cheaper storage', () => {
    const stack = tableWith({ tableClass: TableClass.STANDARD_INFREQUENT_ACCESS });
    expect(propertiesOf(stack, TABLE)).toMatchObject({ TableClass: 'STANDARD_INFREQUENT_ACCESS' });
  });

  it('shows which keys are used the most', () => {
    const contributorInsights = ContributorInsightsMode.THROTTLED_KEYS;
    const ContributorInsightsSpecification = { Enabled: true, Mode: 'THROTTLED_KEYS' };
    expect(propertiesOf(tableWith({ contributorInsights }), TABLE)).toMatchObject({
      ContributorInsightsSpecification,
    });
  });

  it('has the tags of its stack', () => {
    const stack = tableWith({});
    Tags.of(stack).add('team', 'orders');
    expect(propertiesOf(stack, TABLE)).toMatchObject({ Tags: [{ Key: 'team', Value: 'orders' }] });
  });

  it('is taken into a backup plan, which may be of another stack', () => {
    const app = new App();
    const data = new Stack(app, 'Data');
    const backupPlan = BackupPlan.dailyWeeklyMonthly5YearRetention(new Stack(app, 'Backups'), 'Plan');
    new SagaTable(data, 'Sagas', { backupPlan });
    new OutboxTable(data, 'Outbox', { backupPlan });
    const selections = Template.fromStack(data).findResources('AWS::Backup::BackupSelection');
    const resources = Object.values(selections).map(({ Properties }) => Properties.BackupSelection.Resources);
    expect(resources).toEqual([
      [{ 'Fn::GetAtt': [startsWith('Sagas'), 'Arn'] }],
      [{ 'Fn::GetAtt': [startsWith('Outbox'), 'Arn'] }],
    ]);
  });

  it.each<[MessagingTableProps, string]>([
    [
      { recoveryPeriodInDays: 0 },
      'recoveryPeriodInDays: 0 is out of range. Use a whole number from 1 to 35.',
    ],
    [{ recoveryPeriodInDays: 1 }, 'nothing'],
    [{ recoveryPeriodInDays: 35 }, 'nothing'],
    [{ recoveryPeriodInDays: 36 }, 'recoveryPeriodInDays: 36 is out of range'],
    [
      { recoveryPeriodInDays: 7, pointInTimeRecovery: false },
      'recoveryPeriodInDays: it is 7, and pointInTimeRecovery is off',
    ],
    [{ tableClass: 'COLD' as TableClass }, "tableClass: 'COLD' is not known. Use a value of TableClass."],
    [
      { contributorInsights: 'ALL' as ContributorInsightsMode },
      "contributorInsights: 'ALL' is not known. Use a value of ContributorInsightsMode.",
    ],
    [{ encryption: TableEncryption.DEFAULT }, 'nothing'],
    [
      { encryption: 'AES' as TableEncryption },
      "encryption: 'AES' is not known. Use a value of TableEncryption.",
    ],
    [
      { encryption: TableEncryption.CUSTOMER_MANAGED },
      'encryption: there is no key of yours. Give encryptionKey.',
    ],
    [{ tableName: 'ab' }, "tableName: 'ab' is no name of a table. Use 3 to 255 letters"],
    [{ tableName: 'abc' }, 'nothing'],
    [{ tableName: 'a'.repeat(255) }, 'nothing'],
    [{ tableName: 'a'.repeat(256) }, 'tableName: '],
    [{ tableName: 'a b c' }, 'tableName: '],
    [{ tableName: Lazy.string({ produce: () => 'x' }) }, 'nothing'],
  ])('with %j is refused for: %s', (props, report) => {
    const violation = report === 'nothing' ? '' : report;
    const found = violationsOf(tableWith(props));
    if (violation === '') expect(found).toBe('');
    else expect(found).toContain(`[Test/Outbox] ${violation}`);
  });

  it.each([
    [undefined, { SSEEnabled: true }],
    [TableEncryption.AWS_MANAGED, { SSEEnabled: true }],
    [TableEncryption.DEFAULT, { SSEEnabled: false }],
  ])('has a key of AWS, or one that DynamoDB owns: %s', (encryption, specification) => {
    const properties = propertiesOf(tableWith(encryption === undefined ? {} : { encryption }), TABLE);
    expect(properties.SSESpecification).toEqual(specification);
  });

  it('has a key of yours, or one of AWS', () => {
    const stack = unbundledStack();
    const encryptionKey = new Key(stack, 'Key');
    new OutboxTable(stack, 'Outbox', { encryptionKey, encryption: TableEncryption.CUSTOMER_MANAGED });
    new SagaTable(stack, 'Sagas', { encryptionKey, encryption: TableEncryption.DEFAULT });
    expect(violationsOf(stack).split('\n').slice(1)).toEqual([
      '  [Test/Sagas] encryption: it is TableEncryption.DEFAULT, and there is an encryptionKey. Leave encryption or encryptionKey out.',
    ]);
  });

  it.each<[string, MessagingTableProps, (table: OutboxTable) => void, number]>([
    ['its props', { removalPolicy: RemovalPolicy.DESTROY, deletionProtection: true }, () => undefined, 1],
    ['a later removal policy', {}, (table) => table.applyRemovalPolicy(RemovalPolicy.DESTROY), 1],
    [
      'an override',
      { removalPolicy: RemovalPolicy.DESTROY },
      ({ node }) => (node.defaultChild as CfnTable).addPropertyOverride('DeletionProtectionEnabled', true),
      1,
    ],
    ['nothing, to be destroyed', { removalPolicy: RemovalPolicy.DESTROY }, () => undefined, 0],
    ['nothing, to be kept', {}, () => undefined, 0],
  ])('that is to be destroyed and protected is warned of, by %s', (_way, props, change, warnings) => {
    const stack = unbundledStack();
    change(new OutboxTable(stack, 'Outbox', props));
    const found = Annotations.fromStack(stack).findWarning(
      '/Test/Outbox',
      Match.stringLikeRegexp('^deletionProtection: it is on, and the table is to be deleted'),
    );
    expect(found).toHaveLength(warnings);
  });

  it('reports everything at once', () => {
    const stack = tableWith({
      tableName: '',
      recoveryPeriodInDays: 36,
      tableClass: 'COLD' as TableClass,
      warmThroughput: { readUnitsPerSecond: 1 },
    });
    for (const setting of ['tableName', 'recoveryPeriodInDays', 'tableClass', 'warmThroughput']) {
      expect(violationsOf(stack)).toContain(`[Test/Outbox] ${setting}`);
    }
  });
});
