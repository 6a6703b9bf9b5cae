import { BackupResource, BackupSelection, type IBackupPlan } from 'aws-cdk-lib/aws-backup';
import type { PointInTimeRecoverySpecification, Table, TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { isKnown } from '../assert-range.ts';
import type { Problems } from '../problems.ts';
import type { MessagingTableProps } from './messaging-table-props.ts';

/** Source: "Supported data types and naming rules in Amazon DynamoDB". */
export function checkedTableName({ tableName }: MessagingTableProps, problems: Problems): string | undefined {
  if (tableName === undefined || !isKnown(tableName) || /^[\w.-]{3,255}$/.test(tableName)) return tableName;
  problems.add(
    'tableName',
    `'${tableName}' is no name of a table`,
    'Use 3 to 255 letters, digits, underscores, dots and hyphens',
  );
  return undefined;
}

/** Of the table, and of its relay index. */
export function insightsProps({
  contributorInsights: mode,
}: MessagingTableProps): Pick<TableProps, 'contributorInsightsSpecification'> {
  return mode === undefined ? {} : { contributorInsightsSpecification: { enabled: true, mode } };
}

/** Source: "Point-in-time backups for DynamoDB" (recovery period). */
export function recoverySpecification(
  { pointInTimeRecovery = true, recoveryPeriodInDays: days }: MessagingTableProps,
  problems: Problems,
): PointInTimeRecoverySpecification {
  const checked = problems.inRange('recoveryPeriodInDays', days, { min: 1, max: 35 }, undefined);
  if (!pointInTimeRecovery && days !== undefined) {
    problems.add(
      'recoveryPeriodInDays',
      `it is ${days}, and pointInTimeRecovery is off`,
      'Leave it out, or turn pointInTimeRecovery on',
    );
  }
  return {
    pointInTimeRecoveryEnabled: pointInTimeRecovery,
    ...(pointInTimeRecovery && checked !== undefined && { recoveryPeriodInDays: checked }),
  };
}

/** In the stack of the table, where its ARN is: the plan may be of another. */
export function addToBackupPlan(table: Table, backupPlan: IBackupPlan): void {
  new BackupSelection(table, 'BackupSelection', {
    backupPlan,
    resources: [BackupResource.fromDynamoDbTable(table)],
  });
}
