import type { RegionPrices } from '../../capacity/prices.ts';
import type { Workload } from '../../capacity/workload.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { type AutoscaledCapacity, assertAutoscaledCapacity, assertUnits } from './autoscaled-capacity.ts';
import type { CapacitySettings } from './capacity-settings.ts';
import { assertScheduledPeaks, type ScheduledPeak, type ScheduledWorkloadPeak } from './scheduled-peak.ts';

/**
 * What a table has to carry: of one endpoint, or of each of those that share the table, with their peaks at
 * the same time.
 */
export type TableWorkload = Workload | readonly Workload[];

/** What {@link TableCapacity.onDemand} can be given. */
export interface OnDemandCapacityOptions {
  /**
   * Read request units per second, above which requests are throttled: a limit of what the table can cost.
   *
   * @default - the account's quota
   */
  readonly maxReadRequestUnits?: number;

  /**
   * Write request units per second, above which requests are throttled: a limit of what the table can cost.
   *
   * @default - the account's quota
   */
  readonly maxWriteRequestUnits?: number;

  /**
   * What the table is meant for: its plan goes into the template, alarms compare with it, and maxima that it
   * would exceed are refused.
   *
   * @default - no plan
   */
  readonly workload?: TableWorkload;

  /**
   * What the region charges, when it is none of the known ones or you pay other prices.
   *
   * @default - the known prices of the region of the workload, else of the stack, else of us-east-1, with a
   *   warning
   */
  readonly prices?: RegionPrices;
}

/** What {@link TableCapacity.provisioned} is given. */
export interface ProvisionedCapacityOptions {
  readonly read: AutoscaledCapacity;
  readonly write: AutoscaledCapacity;

  /**
   * Known times at which more is needed, sooner than autoscaling would notice.
   *
   * @default - none
   */
  readonly scheduledPeaks?: readonly ScheduledPeak[];

  /**
   * What the table is meant for: its plan goes into the template, alarms compare with it, and maxima that it
   * would exceed are refused.
   *
   * @default - no plan
   */
  readonly workload?: TableWorkload;

  /**
   * What the region charges, when it is none of the known ones or you pay other prices.
   *
   * @default - the known prices of the region of the workload, else of the stack, else of us-east-1, with a
   *   warning
   */
  readonly prices?: RegionPrices;
}

/** What {@link TableCapacity.forWorkload} can be given besides the workload. */
export interface WorkloadCapacityOptions {
  /**
   * How many times the capacity of the planned peak autoscaling may go up to, 1 to 100.
   *
   * @default 1.5
   */
  readonly headroom?: number;

  /**
   * Known times of the peak, at which the capacity of the planned peak is there before autoscaling would
   * notice.
   *
   * @default - none
   */
  readonly scheduledPeaks?: readonly ScheduledWorkloadPeak[];

  /**
   * What the region charges, when it is none of the known ones or you pay other prices.
   *
   * @default - the known prices of the region of the workload, else of the stack, else of us-east-1, with a
   *   warning
   */
  readonly prices?: RegionPrices;
}

const DEFAULT_HEADROOM = 1.5;
const headroomLimits = { minimum: 1, maximum: 100 } as const;

/**
 * How a table's reads and writes are paid for, and how far they go.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
 * import { TableCapacity, OutboxTable, SagaTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const workload = {
 *   message: { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 },
 *   messagesPerSecond: 200,
 *   peakMessagesPerSecond: 600,
 * };
 * const sale = { start: Schedule.cron({ hour: '7', minute: '45' }), end: Schedule.cron({ hour: '20', minute: '0' }) };
 * new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(workload, { scheduledPeaks: [sale] }) });
 * new OutboxTable(stack, 'Outbox', { capacity: TableCapacity.onDemand({ maxWriteRequestUnits: 10_000, workload }) });
 * ```
 */
export class TableCapacity {
  readonly #settings: CapacitySettings;

  private constructor(settings: CapacitySettings) {
    this.#settings = settings;
  }

  /** What was chosen, with the defaults filled in. */
  get settings(): CapacitySettings {
    return this.#settings;
  }

  /**
   * Each request is paid for by itself: for loads that are spiky, low, or not known yet.
   *
   * @throws SagaboxError `Configuration` when a maximum is no whole number of at least 1
   */
  static onDemand(options: OnDemandCapacityOptions = {}): TableCapacity {
    const { maxReadRequestUnits, maxWriteRequestUnits, prices } = options;
    assertUnits('capacity.maxReadRequestUnits', maxReadRequestUnits);
    assertUnits('capacity.maxWriteRequestUnits', maxWriteRequestUnits);
    return new TableCapacity({
      mode: 'onDemand',
      ...(maxReadRequestUnits === undefined ? {} : { maxReadRequestUnits }),
      ...(maxWriteRequestUnits === undefined ? {} : { maxWriteRequestUnits }),
      workloads: listed(options.workload),
      ...(prices === undefined ? {} : { prices }),
    });
  }

  /**
   * Capacity is provisioned, and scaled with the load: cheaper than on-demand when the load is steady.
   *
   * @throws SagaboxError `Configuration` when units or a utilisation are out of range
   */
  static provisioned(options: ProvisionedCapacityOptions): TableCapacity {
    const { read, write, scheduledPeaks = [], workload, prices } = options;
    assertAutoscaledCapacity('capacity.read', read);
    assertAutoscaledCapacity('capacity.write', write);
    assertScheduledPeaks(scheduledPeaks);
    return new TableCapacity({
      mode: 'provisioned',
      read,
      write,
      scheduledPeaks,
      workloads: listed(workload),
      ...(prices === undefined ? {} : { prices }),
    });
  }

  /**
   * Capacity is provisioned for the part of a workload that this table takes, and scaled with the load.
   * Autoscaling's minimum is what the average load needs at the workload's target utilisation, its maximum
   * what the peak needs, times the `headroom`. Of several workloads, the lowest target utilisation holds.
   *
   * The plan assumes that reads and writes spread over the partitions of the table. One saga, which is one
   * item, takes 1,000 write units per second whatever is provisioned ("Designing partition keys to distribute
   * your workload in DynamoDB").
   *
   * @throws SagaboxError `Configuration` when the `headroom` is out of range, and from the table when the
   *   workload is no workload, or has no part that the table takes
   */
  static forWorkload(workload: TableWorkload, options: WorkloadCapacityOptions = {}): TableCapacity {
    const { headroom = DEFAULT_HEADROOM, scheduledPeaks = [], prices } = options;
    assertHeadroom(headroom);
    assertScheduledPeaks(scheduledPeaks);
    const workloads = listed(workload);
    if (workloads.length === 0) {
      throw new SagaboxError('Configuration', {
        setting: 'capacity.workload',
        problem: 'the list is empty',
        remedy: 'Name the workload of each endpoint that uses the table',
      });
    }
    return new TableCapacity({
      mode: 'forWorkload',
      headroom,
      scheduledPeaks,
      workloads,
      ...(prices === undefined ? {} : { prices }),
    });
  }
}

function listed(workload: TableWorkload | undefined): readonly Workload[] {
  if (workload === undefined) return [];
  return isList(workload) ? workload : [workload];
}

function isList(workload: TableWorkload): workload is readonly Workload[] {
  return Array.isArray(workload);
}

function assertHeadroom(headroom: number): void {
  const { minimum, maximum } = headroomLimits;
  if (headroom >= minimum && headroom <= maximum) return;
  throw new SagaboxError('Configuration', {
    setting: 'capacity.headroom',
    problem: `${headroom} is out of range`,
    remedy: `Use a value from ${minimum} to ${maximum}`,
  });
}
