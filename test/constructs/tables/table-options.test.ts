import { describe, expect, it } from '@jest/globals';
import { App, Lazy, Stack, Tags } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { BackupPlan } from 'aws-cdk-lib/aws-backup';
import { ContributorInsightsMode, TableClass } from 'aws-cdk-lib/aws-dynamodb';
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
