import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { aString, kind } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { checkedProps, type PropChecks } from '../checks/prop-checks.ts';
import { aKey } from '../checks/prop-kinds.ts';
import { isKnown } from '../is-known.ts';
import { PropProblems, Violations } from '../violations.ts';
import { grantOutboxAccess, grantSagaAccess } from './table-access.ts';
import { type AttributeNames, declareSchema } from './table-schema.ts';

/** A table of another stack, app or account that holds sagas or an outbox. */
export interface MessagingTableAttributes extends Partial<AttributeNames> {
  /**
   * The name of the table. Set either `tableName` or `tableArn`.
   *
   * @default - from the `tableArn`
   */
  readonly tableName?: string;

  /**
   * The ARN of the table; required for a table of another account.
   *
   * @default - from the `tableName`, in the account and region of the stack
   */
  readonly tableArn?: string;

  /**
   * The name of the partition key, a string.
   *
   * @default 'PK'
   */
  readonly partitionKeyName?: string;

  /**
   * The name of the sort key, a string.
   *
   * @default 'SK'
   */
  readonly sortKeyName?: string;

  /**
   * The name of the TTL attribute.
   *
   * @default 'ExpiresAt'
   */
  readonly timeToLiveAttributeName?: string;

  /**
   * The ARN of the table's stream, in which {@link OutboxRelay} finds what was not sent. It changes when the stream
   * is turned off and on again.
   *
   * @default - the table is taken to have no stream
   */
  readonly tableStreamArn?: string;

  /**
   * The customer managed key of the table. Endpoints are granted its use.
   *
   * @default - none: the table has a key of DynamoDB
   */
  readonly encryptionKey?: IKey;
}

const aStreamArn = kind(
  'the ARN of a stream',
  (value) =>
    typeof value === 'string' &&
    (!isKnown(value) || /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/.+\/stream\/./.test(value)),
  'Give the LatestStreamArn of the table, such as ' +
    'arn:aws:dynamodb:eu-west-1:111111111111:table/orders/stream/2026-01-01T00:00:00.000',
);

const messagingTableAttributesChecks: PropChecks<MessagingTableAttributes> = {
  tableName: aString,
  tableArn: aString,
  partitionKeyName: aString,
  sortKeyName: aString,
  timeToLiveAttributeName: aString,
  tableStreamArn: aStreamArn,
  encryptionKey: aKey,
};

const remedy =
  'Give either a tableName, or a tableArn such as arn:aws:dynamodb:eu-west-1:111111111111:table/orders';

/** A table that `fromTableName` or `fromTableAttributes` of a table of sagabox knows. */
export interface IMessagingTable extends ITable {
  /** Whether the table has a stream, in which {@link OutboxRelay} finds what was not sent. */
  readonly hasRelayStream: boolean;
  /** Allows the reads and writes of sagas, with `embeddedOutbox` also those of sagas with an embedded outbox. */
  grantSagaAccess(grantee: IGrantable, embeddedOutbox?: boolean): Grant;
  /** Allows the reads and writes of an outbox on this table. */
  grantOutboxAccess(grantee: IGrantable): Grant;
}

export function importedTable(
  scope: Construct,
  id: string,
  given: MessagingTableAttributes,
): IMessagingTable {
  const problems = new PropProblems();
  const attributes = checkedProps(given, messagingTableAttributesChecks, problems);
  const { encryptionKey, tableStreamArn, tableName, tableArn, ...names } = attributes;
  const identity = identityOf(attributes, problems);
  const table = Table.fromTableAttributes(scope, id, {
    ...identity,
    ...defined({ encryptionKey, tableStreamArn }),
  });
  new Violations(table, undefined, problems);
  const schema = { ...tableDefaults, ...defined(names) };
  declareSchema(table, {
    ...schema,
    hasTwoStringKeys: true,
    hasTimeToLive: true,
    replication: 'none',
  });
  return Object.assign(table, {
    hasRelayStream: tableStreamArn !== undefined,
    grantSagaAccess: (grantee: IGrantable, embeddedOutbox?: boolean) =>
      grantSagaAccess(table, grantee, embeddedOutbox),
    grantOutboxAccess: (grantee: IGrantable) => grantOutboxAccess(table, grantee),
  });
}

type TableIdentity = { readonly tableName: string } | { readonly tableArn: string };

/** By what CDK knows the table; a name stands in for one that CDK would throw for, which is reported. */
function identityOf(
  { tableName = '', tableArn = '' }: MessagingTableAttributes,
  problems: PropProblems,
): TableIdentity {
  const isNamed = tableName !== '';
  const isOneGiven = isNamed !== (tableArn !== '');
  if (isOneGiven && isNamed) return { tableName };
  if (isOneGiven && (!isKnown(tableArn) || /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/./.test(tableArn))) {
    return { tableArn };
  }
  if (isOneGiven) problems.add('tableArn', `'${tableArn}' is not the ARN of a table`, remedy);
  else problems.add('tableName, tableArn', isNamed ? 'both are given' : 'neither is given', remedy);
  return { tableName: 'unknown' };
}
