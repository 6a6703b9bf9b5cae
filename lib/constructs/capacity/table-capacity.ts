import type { RegionPrices } from '../../capacity/prices.ts';
import type { Workload } from '../../capacity/workload.ts';
import { aNumber, anyValue } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { checkedProps, type PropChecks } from '../checks/prop-checks.ts';
import { PropProblems } from '../violations.ts';
import { type AutoscaledCapacity, anAutoscaledCapacity, checkedCapacity } from './autoscaled-capacity.ts';
import {
  checkedPeaks,
  type ScheduledPeak,
  type ScheduledWorkloadPeak,
  scheduledPeaksCheck,
} from './scheduled-peak.ts';

const DEFAULT_HEADROOM = 1.5;

/**
 * What a table has to carry: of one endpoint, or of each of those that share the table, with their peaks at
 * the same time.
 */
export type TableWorkload = Workload | readonly Workload[];

interface PricedOptions {
  /**
   * What the region charges, if it is not a known region, or you pay other prices.
   *
   * @default - the known prices of the region of the workload, else of the stack, else of us-east-1, with a
   *   warning
   */
  readonly prices?: RegionPrices;
}

interface ComparedOptions extends PricedOptions {
  /**
   * What the table is meant for: its plan goes into the template, alarms compare with it, and maxima that it
   * would exceed are refused.
   *
   * @default - no plan
   */
  readonly workload?: TableWorkload;
}

/** What {@link TableCapacity.onDemand} can be given: limits of what the table can cost. */
export interface OnDemandCapacityOptions extends ComparedOptions {
  /**
   * Read request units per second, above which requests are throttled.
   *
   * @default - the account's quota
   */
  readonly maxReadRequestUnits?: number;
  /**
   * Write request units per second, above which requests are throttled.
   *
   * @default - the account's quota
   */
  readonly maxWriteRequestUnits?: number;
}

/** What {@link TableCapacity.provisioned} is given. */
export interface ProvisionedCapacityOptions extends ComparedOptions {
  readonly read: AutoscaledCapacity;
  readonly write: AutoscaledCapacity;
  /**
   * Known times at which more is needed, sooner than autoscaling would notice.
   *
   * @default - none
   */
  readonly scheduledPeaks?: readonly ScheduledPeak[];
}

/** What {@link TableCapacity.forWorkload} can be given besides the workload. */
export interface WorkloadCapacityOptions extends PricedOptions {
  /**
   * How many times the capacity of the planned peak autoscaling may go up to, 1 to 100.
   *
   * @default 1.5
   */
  readonly headroom?: number;
  /**
   * Known times of the peak, at which its planned capacity is there before autoscaling would notice.
   *
   * @default - none
   */
  readonly scheduledPeaks?: readonly ScheduledWorkloadPeak[];
}

/** Workloads and prices are checked by the capacity planner. */
const onDemandChecks: PropChecks<OnDemandCapacityOptions> = {
  maxReadRequestUnits: aNumber,
  maxWriteRequestUnits: aNumber,
  workload: anyValue,
  prices: anyValue,
};
const provisionedChecks: PropChecks<ProvisionedCapacityOptions> = {
  read: anAutoscaledCapacity,
  write: anAutoscaledCapacity,
  scheduledPeaks: scheduledPeaksCheck,
  workload: anyValue,
  prices: anyValue,
};
const workloadChecks: PropChecks<WorkloadCapacityOptions> = {
  headroom: aNumber,
  scheduledPeaks: scheduledPeaksCheck,
  prices: anyValue,
};

interface OnDemandSettings extends Omit<OnDemandCapacityOptions, 'workload'> {
  readonly mode: 'onDemand';
}

interface ProvisionedSettings extends Required<Omit<ProvisionedCapacityOptions, 'workload' | 'prices'>> {
  readonly mode: 'provisioned';
}

interface WorkloadSettings extends Required<Omit<WorkloadCapacityOptions, 'prices'>> {
  readonly mode: 'forWorkload';
}

/** What was chosen, with the defaults filled in. */
export type CapacitySettings = PricedOptions & { readonly workloads: readonly Workload[] } & (
    | OnDemandSettings
    | ProvisionedSettings
    | WorkloadSettings
  );

/**
 * How a table's reads and writes are paid for, and how far they go. The table reports at synth what is out of
 * range, with all else that is wrong with it.
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
 * const sale = { start: Schedule.cron({ hour: '8' }), end: Schedule.cron({ hour: '20' }) };
 * const planned = TableCapacity.forWorkload(workload, { scheduledPeaks: [sale] });
 * new SagaTable(stack, 'Sagas', { capacity: planned });
 * const onDemand = TableCapacity.onDemand({ maxWriteRequestUnits: 10_000, workload });
 * new OutboxTable(stack, 'Outbox', { capacity: onDemand });
 * ```
 */
export class TableCapacity {
  readonly #settings: CapacitySettings;
  readonly #problems: PropProblems;

  private constructor(settings: CapacitySettings, problems: PropProblems) {
    this.#settings = settings;
    this.#problems = problems;
  }

  /** What was chosen, with the defaults filled in, also for what is out of range. */
  get settings(): CapacitySettings {
    return this.#settings;
  }

  /** Cause and remedy of what is out of range: the table reports them at synth. */
  get violations(): readonly string[] {
    return this.#problems.texts;
  }

  /** Each request is paid for by itself: for loads that are spiky, low, or not known yet. */
  static onDemand(given: OnDemandCapacityOptions = {}): TableCapacity {
    const problems = new PropProblems();
    const { workload, ...options } = checkedProps(given, onDemandChecks, problems, [], 'capacity');
    const checked = (name: 'maxReadRequestUnits' | 'maxWriteRequestUnits') => ({
      [name]: problems.inRange(`capacity.${name}`, options[name], { min: 1 }, undefined),
    });
    const maxima = defined({ ...checked('maxReadRequestUnits'), ...checked('maxWriteRequestUnits') });
    const { prices } = options;
    const workloads = listed(workload);
    return new TableCapacity({ mode: 'onDemand', ...defined({ prices }), ...maxima, workloads }, problems);
  }

  /** Capacity is provisioned, and scaled with the load: cheaper than on-demand when the load is steady. */
  static provisioned(given: ProvisionedCapacityOptions): TableCapacity {
    const problems = new PropProblems();
    const needs = ['read', 'write'] as const;
    const { workload, ...options } = checkedProps(given, provisionedChecks, problems, needs, 'capacity');
    const settings: CapacitySettings = {
      mode: 'provisioned',
      ...options,
      read: checkedCapacity('capacity.read', options.read, problems),
      write: checkedCapacity('capacity.write', options.write, problems),
      scheduledPeaks: checkedPeaks(options.scheduledPeaks ?? [], problems),
      workloads: listed(workload),
    };
    return new TableCapacity(settings, problems);
  }

  /**
   * Capacity is provisioned for the part of a workload that this table takes, and scaled with the load.
   * Autoscaling's minimum is what the average load needs at the workload's target utilization, its maximum
   * what the peak needs, times the `headroom`. Of several workloads, the lowest target utilization holds.
   *
   * The plan assumes that reads and writes spread over the partitions of the table. One saga, which is one
   * item, takes 1,000 write units per second whatever is provisioned: the workload's
   * `scale.busiestSagaMessagesPerSecond` has it compared. `limits` of the table has what the workload hits first.
   * The quotas of the table and of the account are compared with the maximum that the table declares, with its
   * `headroom` and scheduled peaks. Synth warns of each limit of this table that is passed; `sagabox plan --app` adds
   * up what the tables of an app take of the account.
   */
  static forWorkload(workload: TableWorkload, given: WorkloadCapacityOptions = {}): TableCapacity {
    const problems = new PropProblems();
    const options = checkedProps(given, workloadChecks, problems, [], 'capacity');
    const { headroom: factor = DEFAULT_HEADROOM, scheduledPeaks = [], ...others } = options;
    const bounds = { min: 1, max: 100, fractions: true };
    const headroom = problems.inRange('capacity.headroom', factor, bounds, DEFAULT_HEADROOM);
    const peaks = checkedPeaks(scheduledPeaks, problems);
    const workloads = listed(workload);
    if (workloads.length === 0) {
      const remedy = 'Name the workload of each endpoint that uses the table';
      problems.add('capacity.workload', 'the list is empty', remedy);
    }
    const settings = { ...others, headroom, scheduledPeaks: peaks, workloads };
    return new TableCapacity({ mode: 'forWorkload', ...settings }, problems);
  }
}

function listed(workload: TableWorkload = []): readonly Workload[] {
  return [workload].flat();
}
