import type { InvocationReport } from '../lambda/event-source.ts';
import type { FaultRule } from '../proxy/faults.ts';
import type { CallAnswer, ProxiedCall } from '../proxy/proxied-call.ts';

export interface OutputLine {
  readonly functionName: string;
  readonly instanceId: string;
  readonly line: string;
  /**
   * `metrics`: a line of the embedded metric format, of which CloudWatch makes metrics. Everything else is
   * `log`.
   */
  readonly kind: 'log' | 'metrics';
}

export interface LocalAppOptions {
  /** Output folder of `cdk synth`. */
  readonly assemblyDirectory: string;
  /**
   * Port of `clientConfig.endpoint` on the loopback interface, for addresses that stay the same from run to
   * run.
   *
   * @default a free one
   */
  readonly port?: number;
  /**
   * How many seconds of the queues (visibility timeouts, delays), the batching windows of streams, schedules and
   * rates pass in one real second. Functions and their timeouts run in real time.
   *
   * @default 1
   */
  readonly timeScale?: number;
  /**
   * The most instances of one function, where its event source mapping does not declare fewer.
   *
   * @default 2
   */
  readonly maxConcurrency?: number;
  /**
   * Deliver every acknowledged message a second time, as SQS may: it delivers at least once.
   *
   * @default false
   */
  readonly redeliverAcknowledged?: boolean;
  /**
   * Kills instances around chosen calls.
   *
   * @default none
   */
  readonly faults?: readonly FaultRule[];
  /**
   * Called for each line that an instance writes.
   *
   * @default lines are dropped
   */
  readonly onOutput?: (output: OutputLine) => void;
  /**
   * Called for each invocation that has ended.
   *
   * @default none
   */
  readonly onInvocation?: (report: InvocationReport) => void;
  /**
   * Called for each call of an instance that an engine has answered, before the instance gets the answer.
   *
   * @default none
   */
  readonly onCall?: (call: ProxiedCall, answer: CallAnswer) => void;
  /**
   * Called for each instance that a fault has killed.
   *
   * @default none
   */
  readonly onFault?: (rule: FaultRule, call: ProxiedCall) => void;
}

/** The one place of the defaults above. */
export const localAppDefaults = {
  /** A free one. */
  port: 0,
  timeScale: 1,
  maxConcurrency: 2,
  redeliverAcknowledged: false,
} as const;
