import { BackupResource, BackupSelection, type IBackupPlan } from 'aws-cdk-lib/aws-backup';
import type { PointInTimeRecoverySpecification, Table, TableProps } from 'aws-cdk-lib/aws-dynamodb';
import type { Problems } from '../problems.ts';
import type { MessagingTableProps } from './messaging-table-props.ts';

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
