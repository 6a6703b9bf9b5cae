import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { ScaleLimit } from '../../capacity/index.ts';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { defined } from '../../kernel/defined.ts';
import { capacityViolations } from '../capacity/capacity-rules.ts';
import { declaredCapacity } from '../capacity/declared-capacity.ts';
import { tableLimits, warnOfLimits } from '../capacity/limit-warnings.ts';
import { addPlanMetadata, addPlanOutput, warnOfOtherPrices } from '../capacity/plan-summary.ts';
import { plannedUnits } from '../capacity/planned-units.ts';
import { plannedWorkloads } from '../capacity/planned-workloads.ts';
import { TableCapacity } from '../capacity/table-capacity.ts';
import type { TableRole, TableWorkloadPlan } from '../capacity/table-plan.ts';
import { addAutoscaling, capacityTableProps } from '../capacity/table-scaling.ts';
import { checkedProps } from '../checks/prop-checks.ts';
import { nameProblems } from '../limits/physical-names.ts';
import { watchLimits } from '../limits/stack-limits.ts';
import { addCapacityAlarms } from '../monitoring/capacity-alarms.ts';
import { withUsableKeys } from '../usable-keys.ts';
import { PropProblems, Violations } from '../violations.ts';
import { type IMessagingTable, importedTable, type MessagingTableAttributes } from './imported-table.ts';
import { type MessagingTableProps, messagingTableChecks } from './messaging-table-props.ts';
import { warnOfUnreadStream } from './stream-readers.ts';
import { grantOutboxAccess, grantSagaAccess } from './table-access.ts';
import {
  addToBackupPlan,
  insightsProps,
  recoverySpecification,
  tableEncryption,
  warnOfProtectedTable,
} from './table-options.ts';

/**
 * A table with the keys and the TTL attribute that the runtime works with.
 *
 * `Table` and not `TableV2`: `AWS::DynamoDB::Table` maps one to one on the CreateTable call, so that a local
 * engine can be provisioned from the template, and a change of the type would replace the table.
 */
export abstract class TableBase extends Table {
  /** Whether the table has a stream, in which {@link OutboxRelay} finds what was not sent. */
  readonly hasRelayStream: boolean;
  /** What the workload takes of this table, when the `capacity` names one. */
  readonly workloadPlan: TableWorkloadPlan | undefined;
  /**
   * What the workloads take of the limits of the services at their busiest time, the nearest first: of this table,
   * of their queues, functions, topics, event buses and schedules. Quotas of tables are compared with what the table
   * declares. Empty without a workload.
   */
  readonly limits: readonly ScaleLimit[];
  /**
   * Units per second that alarms and dashboards compare with: of the workload's peak, else the most that the
   * table is allowed to take; undefined if it has no limit.
   */
  readonly plannedUnits: Readonly<Record<'read' | 'write', number | undefined>>;
  /** The alarms that `capacityAlarms` asks for: add actions to them. */
  readonly capacityAlarms: readonly Alarm[];

  protected constructor(scope: Construct, id: string, given: MessagingTableProps, role: TableRole) {
    const problems = new PropProblems();
    const props: MessagingTableProps = checkedProps(given, messagingTableChecks, problems);
    const { tableName, warmThroughput, tableClass, relayStream = false } = props;
    const { settings, violations } = props.capacity ?? TableCapacity.onDemand();
    const { encryptionKey } = withUsableKeys(scope, props, ['encryptionKey'], problems);
    const { removalPolicy = RemovalPolicy.RETAIN } = props;
    const workloadFacts = { role, stack: Stack.of(scope), prices: settings.prices };
    const { workloads, plan } = plannedWorkloads(settings.workloads, workloadFacts, problems);
    const capacity = declaredCapacity(settings, plan);
    const stream = relayStream === true ? StreamViewType.NEW_IMAGE : relayStream || undefined;
    super(scope, id, {
      ...defined({ tableName, warmThroughput, tableClass, stream }),
      ...insightsProps(props),
      partitionKey: { name: tableDefaults.partitionKeyName, type: AttributeType.STRING },
      sortKey: { name: tableDefaults.sortKeyName, type: AttributeType.STRING },
      timeToLiveAttribute: tableDefaults.timeToLiveAttributeName,
      ...capacityTableProps(capacity),
      ...tableEncryption(
        { encryption: props.encryption, encryptionKey, hasKey: given?.encryptionKey !== undefined },
        problems,
      ),
      pointInTimeRecoverySpecification: recoverySpecification(props, problems),
      deletionProtection: props.deletionProtection ?? removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
    addAutoscaling(this, capacity);
    this.hasRelayStream = stream !== undefined;
    this.workloadPlan = plan;
    const planned = plan && { plan, workloads, capacity, warmThroughput };
    this.limits = planned ? tableLimits(planned) : [];
    if (planned) warnOfLimits(this, planned);
    if (plan !== undefined) {
      addPlanMetadata(this, workloads, plan);
      warnOfOtherPrices(this, plan);
      if (settings.mode === 'forWorkload') addPlanOutput(this, plan);
    }
    const facts = { capacity, plan, warmThroughput };
    this.plannedUnits = plannedUnits(capacity, plan);
    const { capacityAlarms: alarms } = props;
    this.capacityAlarms = alarms ? addCapacityAlarms(this, this, alarms === true ? {} : alarms) : [];
    if (props.backupPlan !== undefined) addToBackupPlan(this, props.backupPlan);
    const atSynth = () => {
      warnOfUnreadStream(this);
      warnOfProtectedTable(this);
      return [...violations, ...capacityViolations(facts), ...nameProblems(this)];
    };
    new Violations(this, atSynth, problems);
    watchLimits(this);
  }

  /** A table of another stack or app with the keys PK and SK, the time to live ExpiresAt and no stream. */
  static override fromTableName(scope: Construct, id: string, tableName: string): IMessagingTable {
    return importedTable(scope, id, { tableName });
  }

  /** As {@link fromTableName}. A table of another account is addressed by its ARN. */
  static override fromTableArn(scope: Construct, id: string, tableArn: string): IMessagingTable {
    return importedTable(scope, id, { tableArn });
  }

  /** A table of another stack or app, with what it differs in: keys, time to live, stream, key of KMS. */
  static override fromTableAttributes(
    scope: Construct,
    id: string,
    attributes: MessagingTableAttributes,
  ): IMessagingTable {
    return importedTable(scope, id, attributes);
  }

  /**
   * Allows the reads and writes of sagas, with `embeddedOutbox` also those of sagas with an embedded outbox;
   * `MessageEndpoint` does it for its function.
   */
  grantSagaAccess(grantee: IGrantable, embeddedOutbox?: boolean): Grant {
    return grantSagaAccess(this, grantee, embeddedOutbox);
  }

  /** Allows the reads and writes of an outbox on this table; `MessageEndpoint` does it for its function. */
  grantOutboxAccess(grantee: IGrantable): Grant {
    return grantOutboxAccess(this, grantee);
  }
}
