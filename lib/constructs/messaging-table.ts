import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { recoveryIndex } from '../core/recovery-index.ts';
import { tableDefaults } from '../core/table-defaults.ts';
import { grantOutboxAccess, grantSagaAccess } from './table-access.ts';
import {
  addAutoscaling,
  addIndexAutoscaling,
  assertBilling,
  billingTableProps,
  defaultBilling,
  indexCapacityProps,
  type TableBilling,
} from './table-billing.ts';

/** Settings of a {@link SagaTable} or an {@link OutboxTable}. */
export interface MessagingTableProps {
  /**
   * The physical name of the table.
   *
   * @default - CloudFormation makes one up, so that the table can be replaced
   */
  readonly tableName?: string;

  /**
   * How reads and writes are paid for.
   *
   * @default { mode: 'on-demand' }
   */
  readonly billing?: TableBilling;

  /**
   * The customer managed key that the items are encrypted with.
   *
   * @default - the account's AWS managed key for DynamoDB
   */
  readonly encryptionKey?: IKey;

  /**
   * A sparse index of the outbox records that are not dispatched, by which {@link OutboxRecovery} finds them. It takes one
   * write unit more at the commit of a message that sends others, and one more when these are dispatched; the search
   * takes next to nothing. Records that were committed before the table had the index are not in it.
   *
   * @default false
   */
  readonly recoveryIndex?: boolean;

  /**
   * Continuous backups, from which any second of the last 35 days can be restored.
   *
   * @default true
   */
  readonly pointInTimeRecovery?: boolean;

  /**
   * Refuses every call that deletes the table.
   *
   * @default - true, unless the `removalPolicy` is to destroy the table
   */
  readonly deletionProtection?: boolean;

  /**
   * What happens to the table when it leaves the stack.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * A table with the keys and the TTL attribute that the runtime works with.
 *
 * `Table` and not `TableV2`: it is the resource `AWS::DynamoDB::Table`, whose schema, billing and TTL map one to one
 * on the CreateTable call, so that a local engine can be provisioned from the template. `TableV2` declares a global
 * table with one replica, which hides read capacity in the replica. Whoever needs replicas passes a `TableV2` with the
 * same keys and TTL attribute to `MessageEndpoint`, which takes any table.
 */
export abstract class MessagingTable extends Table {
  /** Whether undispatched outbox records are found by an index. */
  readonly hasRecoveryIndex: boolean;

  constructor(scope: Construct, id: string, props: MessagingTableProps = {}) {
    const billing = props.billing ?? defaultBilling;
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    assertBilling(billing);
    super(scope, id, {
      ...(props.tableName === undefined ? {} : { tableName: props.tableName }),
      partitionKey: { name: tableDefaults.partitionKeyName, type: AttributeType.STRING },
      sortKey: { name: tableDefaults.sortKeyName, type: AttributeType.STRING },
      timeToLiveAttribute: tableDefaults.timeToLiveAttributeName,
      ...billingTableProps(billing),
      ...(props.encryptionKey === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: props.encryptionKey }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: props.pointInTimeRecovery ?? true },
      deletionProtection: props.deletionProtection ?? removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
    addAutoscaling(this, billing);
    this.hasRecoveryIndex = props.recoveryIndex ?? false;
    if (this.hasRecoveryIndex) this.#addRecoveryIndex(billing);
  }

  /** Allows the reads and writes of sagas on this table; `MessageEndpoint` calls it for its own function. */
  grantSagaAccess(grantee: IGrantable): Grant {
    return grantSagaAccess(this, grantee);
  }

  /** Allows the reads and writes of an outbox on this table; `MessageEndpoint` calls it for its own function. */
  grantOutboxAccess(grantee: IGrantable): Grant {
    return grantOutboxAccess(this, grantee);
  }

  #addRecoveryIndex(billing: TableBilling): void {
    const { indexName, partitionKeyName, sortKeyName } = recoveryIndex;
    this.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: partitionKeyName, type: AttributeType.STRING },
      sortKey: { name: sortKeyName, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
      ...indexCapacityProps(billing),
    });
    addIndexAutoscaling(this, indexName, billing);
  }
}
