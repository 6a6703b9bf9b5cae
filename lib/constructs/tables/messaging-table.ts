import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  ProjectionType,
  Table,
  TableEncryption,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { assertNoRenamedSettings } from '../../core/checks/renamed-settings.ts';
import { defined } from '../../core/defined.ts';
import { relayIndex } from '../../core/storage/relay-index.ts';
import { tableDefaults } from '../../core/storage/table-defaults.ts';
import type { AnyTable } from '../any-resource.ts';
import { addCapacityAlarms, type CapacityAlarmOptions } from '../capacity/capacity-alarms.ts';
import { capacityViolations } from '../capacity/capacity-rules.ts';
import { completedWorkloads } from '../capacity/completed-workloads.ts';
import { type DeclaredCapacity, declaredCapacity } from '../capacity/declared-capacity.ts';
import { addPlanMetadata, addPlanOutput, warnOfOtherPrices } from '../capacity/plan-summary.ts';
import { TableCapacity } from '../capacity/table-capacity.ts';
import { planTable, type TableRole, type TableWorkloadPlan } from '../capacity/table-plan.ts';
import {
  addAutoscaling,
  addIndexAutoscaling,
  capacityTableProps,
  indexCapacityProps,
} from '../capacity/table-scaling.ts';
import { grantOutboxAccess, grantSagaAccess } from './table-access.ts';

export interface MessagingTableProps {
  /** @default - CloudFormation makes one up, so that the table can be replaced */
  readonly tableName?: string;

  /**
   * How reads and writes are paid for, and how far they go.
   *
   * @default TableCapacity.onDemand()
   */
  readonly capacity?: TableCapacity;

  /**
   * What the table takes at once, without the minutes in which it grows: for a launch, or a sale. It is paid
   * for once, and can be raised later but not lowered. The relay index gets the same for its writes.
   *
   * @default - 12,000 read and 4,000 write units per second on demand, else what is provisioned
   */
  readonly warmThroughput?: WarmThroughput;

  /**
   * Alarms on throttles, of the relay index too, and on consumed units close to the peak of the workload's
   * plan, or else to the most that the table is allowed to take.
   *
   * @default - no alarms
   */
  readonly capacityAlarms?: true | CapacityAlarmOptions;

  /** @default - the account's AWS managed key for DynamoDB */
  readonly encryptionKey?: IKey;

  /**
   * A sparse index of the outbox records that are not dispatched, by which {@link OutboxRelay} finds them. It
   * takes one write unit at the commit of a message that sends others, and another when these are dispatched,
   * of capacity of its own: its share of the plan with `TableCapacity.forWorkload`, as many writes as the
   * table with `TableCapacity.provisioned`. Records from before the table had the index are not in it.
   *
   * @default false
   */
  readonly relayIndex?: boolean;

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

  /** @default RemovalPolicy.RETAIN */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * A table with the keys and the TTL attribute that the runtime works with.
 *
 * `Table` and not `TableV2`: `AWS::DynamoDB::Table` maps one to one on the CreateTable call, so that a local
 * engine can be provisioned from the template. If you need replicas, pass a `TableV2` with the same keys and
 * TTL attribute to `MessageEndpoint`, which takes any table.
 */
export abstract class MessagingTable extends Table {
  /** Whether undispatched outbox records are found by an index. */
  readonly hasRelayIndex: boolean;
  /** What the workload takes of this table, when the `capacity` names one. */
  readonly workloadPlan: TableWorkloadPlan | undefined;
  /** The alarms that `capacityAlarms` asks for: add actions to them. */
  readonly capacityAlarms: readonly Alarm[];

  protected constructor(scope: Construct, id: string, props: MessagingTableProps, role: TableRole) {
    assertNoRenamedSettings(props);
    const { warmThroughput, removalPolicy = RemovalPolicy.RETAIN, relayIndex: hasRelayIndex = false } = props;
    const { settings } = props.capacity ?? TableCapacity.onDemand();
    const workloads = completedWorkloads(settings.workloads, {
      role,
      hasRelayIndex,
      stack: Stack.of(scope),
      prices: settings.prices,
    });
    const plan = planTable(workloads, role, settings.prices);
    const capacity = declaredCapacity(settings, plan);
    super(scope, id, {
      ...defined({ tableName: props.tableName, warmThroughput }),
      partitionKey: { name: tableDefaults.partitionKeyName, type: AttributeType.STRING },
      sortKey: { name: tableDefaults.sortKeyName, type: AttributeType.STRING },
      timeToLiveAttribute: tableDefaults.timeToLiveAttributeName,
      ...capacityTableProps(capacity),
      ...(props.encryptionKey === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: props.encryptionKey }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: props.pointInTimeRecovery ?? true },
      deletionProtection: props.deletionProtection ?? removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
    addAutoscaling(this, capacity);
    this.hasRelayIndex = hasRelayIndex;
    if (hasRelayIndex) this.#addRelayIndex(capacity, warmThroughput);
    this.workloadPlan = plan;
    if (plan !== undefined) {
      addPlanMetadata(this, workloads, plan);
      warnOfOtherPrices(this, plan);
      if (settings.mode === 'forWorkload') addPlanOutput(this, plan);
    }
    const facts = { role, capacity, workloads, plan, hasRelayIndex, warmThroughput };
    const { capacityAlarms: alarms } = props;
    this.capacityAlarms = alarms ? addCapacityAlarms(this, facts, alarms === true ? {} : alarms) : [];
    this.node.addValidation({ validate: () => capacityViolations(facts) });
  }

  /** Allows the reads and writes of sagas on this table; `MessageEndpoint` does it for its function. */
  grantSagaAccess(grantee: IGrantable): Grant {
    return grantSagaAccess(this, grantee);
  }

  /** Allows the reads and writes of an outbox on this table; `MessageEndpoint` does it for its function. */
  grantOutboxAccess(grantee: IGrantable): Grant {
    return grantOutboxAccess(this, grantee);
  }

  #addRelayIndex(capacity: DeclaredCapacity, warmThroughput: WarmThroughput | undefined): void {
    const { indexName, partitionKeyName, sortKeyName } = relayIndex;
    this.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: partitionKeyName, type: AttributeType.STRING },
      sortKey: { name: sortKeyName, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
      ...indexCapacityProps(capacity, warmThroughput),
    });
    addIndexAutoscaling(this, indexName, capacity);
  }
}

/**
 * Whether the table says that it has the index: one that is no `SagaTable` or `OutboxTable` does not tell.
 */
export function hasRelayIndex(table: AnyTable | undefined): boolean {
  return table instanceof MessagingTable && table.hasRelayIndex;
}
