import { Annotations, CfnDeletionPolicy } from 'aws-cdk-lib';
import { BackupResource, BackupSelection, type IBackupPlan } from 'aws-cdk-lib/aws-backup';
import {
  type PointInTimeRecoverySpecification,
  type Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { renderedResource } from '../rendered-properties.ts';
import type { PropProblems } from '../violations.ts';
import type { MessagingTableProps } from './messaging-table-props.ts';

interface EncryptionProps {
  readonly encryption?: TableEncryption | undefined;
  /** One that can be used. */
  readonly encryptionKey: IKey | undefined;
  /** Whether one was given, which is reported if it cannot be used. */
  readonly hasKey: boolean;
}

export function insightsProps({
  contributorInsights: mode,
}: MessagingTableProps): Pick<TableProps, 'contributorInsightsSpecification'> {
  return mode === undefined ? {} : { contributorInsightsSpecification: { enabled: true, mode } };
}

/** Source: "Point-in-time backups for DynamoDB" (recovery period). */
export function recoverySpecification(
  { pointInTimeRecovery = true, recoveryPeriodInDays: days }: MessagingTableProps,
  problems: PropProblems,
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

/** Source: "DynamoDB encryption at rest" (key types). */
export function tableEncryption(
  { encryption, encryptionKey, hasKey }: EncryptionProps,
  problems: PropProblems,
): Pick<TableProps, 'encryption' | 'encryptionKey'> {
  const isOfCustomer = encryption === TableEncryption.CUSTOMER_MANAGED;
  if (encryptionKey !== undefined) {
    if (encryption !== undefined && !isOfCustomer)
      problems.add(
        'encryption',
        `it is TableEncryption.${encryption === TableEncryption.DEFAULT ? 'DEFAULT' : encryption}, and there is an encryptionKey`,
        'Leave encryption or encryptionKey out',
      );
    return { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey };
  }
  if (isOfCustomer && !hasKey) problems.add('encryption', 'there is no key of yours', 'Give encryptionKey');
  return { encryption: encryption === TableEncryption.DEFAULT ? encryption : TableEncryption.AWS_MANAGED };
}

/** At synth. Source: "AWS::DynamoDB::Table" (DeletionProtectionEnabled). */
export function warnOfProtectedTable(table: Table): void {
  const { DeletionPolicy, Properties } = renderedResource(table) ?? {};
  if (DeletionPolicy !== CfnDeletionPolicy.DELETE || Properties?.DeletionProtectionEnabled !== true) return;
  Annotations.of(table).addWarningV2(
    'sagabox:protectedTable',
    'deletionProtection: it is on, and the table is to be deleted with its stack, or when it is replaced, which DynamoDB then ' +
      'refuses: the deletion of the stack fails. Turn it off in a deployment of its own before that, or use ' +
      'RemovalPolicy.RETAIN, or acknowledge this.',
  );
}

/** In the stack of the table, where its ARN is: the plan may be of another. */
export function addToBackupPlan(table: Table, backupPlan: IBackupPlan): void {
  new BackupSelection(table, 'BackupSelection', {
    backupPlan,
    resources: [BackupResource.fromDynamoDbTable(table)],
  });
}
