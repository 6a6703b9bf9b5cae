import type { Duration } from '../kernel/duration.ts';
import type { CapacityUnitsPlan, MessagePlan, MessageShape } from './message-shape.ts';
import type { RegionPrices } from './prices.ts';
import type { ScaleShape } from './scale/scale-shape.ts';

/** What one endpoint has to carry. */
export interface Workload {
  readonly message: MessageShape;
  /** On average, over a month. */
  readonly messagesPerSecond: number;
  /** @default messagesPerSecond */
  readonly peakMessagesPerSecond?: number;
  /**
   * How long a handled message is known. The default is what `MessageEndpoint` sets with the defaults of its
   * queues; a `SendOnlyEndpoint` and handlers without the constructs have 7 days.
   *
   * @default { days: 15 }
   */
  readonly deduplicationPeriod?: Duration;
  /**
   * Share of the provisioned capacity that is to be used, in percent, 20 to 90.
   *
   * @default 70
   */
  readonly targetUtilizationPercent?: number;
  /**
   * Messages an invocation on average: they share calls of SQS.
   *
   * @default 1
   */
  readonly batchSize?: number;
  /** @default false */
  readonly sharedTable?: boolean;
  /** @default 'us-east-1' */
  readonly region?: string;
  /**
   * What the limits of the services depend on besides: `limitsOf` compares the workload with them.
   *
   * @default - the default of each
   */
  readonly scale?: ScaleShape;
}

/** Units a second of a table. */
export interface TablePlan {
  readonly average: CapacityUnitsPlan;
  readonly peak: CapacityUnitsPlan;
  /** Whole units a second, for autoscaling: what the average and the peak need at the target utilisation. */
  readonly provisioned: {
    readonly read: { readonly minCapacity: number; readonly maxCapacity: number };
    readonly write: { readonly minCapacity: number; readonly maxCapacity: number };
    readonly targetUtilizationPercent: number;
  };
  /** Request units a month. */
  readonly onDemand: CapacityUnitsPlan;
}

/** US dollars a month, of 730 hours. */
export interface MonthlyCost {
  readonly onDemand: number;
  /** With the capacity that the average needs at the target utilisation. */
  readonly provisioned: number;
  readonly storage: number;
  readonly queue: number;
}

export interface WorkloadPlan {
  readonly message: MessagePlan;
  readonly perMessage: MessagePlan['perMessage'];
  readonly tables:
    | { readonly saga?: TablePlan; readonly outbox?: TablePlan }
    | { readonly shared: TablePlan };
  readonly outbox: { readonly records: number; readonly bytes: number };
  /** SQS requests a month: receives, sends, deletes. */
  readonly queueRequests: number;
  readonly monthlyCost: MonthlyCost;
  /** Utilisation of provisioned capacity, in percent, from which it is cheaper than on-demand. */
  readonly breakEvenUtilizationPercent: number;
  readonly prices: Pick<RegionPrices, 'region' | 'asOf' | 'source' | 'estimatedQueuePrice'>;
}
