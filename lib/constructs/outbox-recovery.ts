import { fileURLToPath } from 'node:url';
import { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { environmentVariables } from '../core/environment-variables.ts';
import { SagaboxError } from '../core/errors.ts';
import { type RecoveryStrategy, recoveryDefaults } from '../core/recovery-defaults.ts';
import type { AnyTable } from './any-table.ts';
import { endpointDefaults, unsetFunctionTimeout } from './endpoint-settings.ts';
import { handlerFunction } from './handler-function.ts';
import { MessagingTable } from './messaging-table.ts';
import { grantOutboxRecovery } from './outbox-recovery-access.ts';
import type { OutboxRecoveryProps } from './outbox-recovery-props.ts';

const defaults = {
  every: Duration.minutes(15),
  olderThan: Duration.minutes(recoveryDefaults.olderThan.minutes),
  functionTimeout: Duration.minutes(15),
  memorySizeMb: 256,
} as const;

/**
 * A function that runs on a schedule, and dispatches what functions that died left undispatched in the outbox of an endpoint
 * when their messages are not delivered again. It has the permissions of exactly that, and the endpoint's environment.
 *
 * @throws SagaboxError `Configuration` when the endpoint has no outbox, or `olderThan` is less than the timeout of its function
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { MessageEndpoint, OutboxRecovery, OutboxTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const outboxTable = new OutboxTable(stack, 'Outbox', { recoveryIndex: true });
 * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', outboxTable });
 * const recovery = new OutboxRecovery(stack, 'OrdersRecovery', { endpoint: orders });
 * recovery.metricRecoveryErrors().createAlarm(stack, 'OrdersNotRecovered', { threshold: 1, evaluationPeriods: 1 });
 * ```
 */
export class OutboxRecovery extends Construct {
  readonly function: LambdaFunction;
  readonly rule: Rule;

  constructor(scope: Construct, id: string, props: OutboxRecoveryProps) {
    super(scope, id);
    const { endpoint, every = defaults.every, olderThan = defaults.olderThan } = props;
    const table = outboxTableOf(props);
    assertOlderThanFunction(props, olderThan);
    const strategy = props.strategy ?? (isIndexed(table) ? 'index' : 'scan');
    this.function = handlerFunction(this, 'Function', {
      entry: props.entry ?? ownEntry(),
      timeout: props.functionTimeout ?? defaults.functionTimeout,
      memorySizeMb: props.memorySizeMb ?? defaults.memorySizeMb,
      architecture: props.architecture ?? endpointDefaults.architecture,
      bundling: {},
    });
    // The next run tries again, and an alarm is to count each failed run once.
    this.function.configureAsyncInvoke({ retryAttempts: 0 });
    this.#setEnvironment(props, strategy, olderThan);
    grantOutboxRecovery(table, this.function, strategy);
    endpoint.grantDispatch(this.function);
    this.rule = new Rule(this, 'Rule', {
      schedule: Schedule.rate(every),
      targets: [new LambdaTarget(this.function)],
    });
  }

  /** The runs that failed: records could not be dispatched, or could not be looked for. */
  metricRecoveryErrors(options?: MetricOptions): Metric {
    return this.function.metricErrors(options);
  }

  #setEnvironment(props: OutboxRecoveryProps, strategy: RecoveryStrategy, olderThan: Duration): void {
    const { endpoint, maximumReadUnitsPerSecond = recoveryDefaults.maximumReadUnitsPerSecond } = props;
    const recovery = { olderThanSeconds: olderThan.toSeconds(), strategy, maximumReadUnitsPerSecond };
    const variables = {
      ...endpoint.handlerEnvironment,
      [environmentVariables.recovery]: JSON.stringify(recovery),
    };
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
  }
}

/** `.ts` when run from source, `.js` when run from the published package. */
function ownEntry(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../recovery-handler.${extension}`, import.meta.url));
}

function isIndexed(table: AnyTable): boolean {
  return table instanceof MessagingTable && table.hasRecoveryIndex;
}

function outboxTableOf({ endpoint }: OutboxRecoveryProps): AnyTable {
  if (endpoint.outboxTable !== undefined) return endpoint.outboxTable;
  throw new SagaboxError('Configuration', {
    setting: 'endpoint',
    problem: `'${endpoint.node.path}' has no outboxTable, so that there is nothing to recover`,
    remedy: 'Give the endpoint an outboxTable',
  });
}

function assertOlderThanFunction({ endpoint }: OutboxRecoveryProps, olderThan: Duration): void {
  const timeout = endpoint.function.timeout ?? unsetFunctionTimeout;
  if (timeout.isUnresolved() || olderThan.isUnresolved()) return;
  if (olderThan.toSeconds() >= timeout.toSeconds()) return;
  throw new SagaboxError('Configuration', {
    setting: 'olderThan',
    problem: `${olderThan.toSeconds()} s is less than the function's timeout of ${timeout.toSeconds()} s, so that what it is about to dispatch would be dispatched twice`,
    remedy: `Use at least ${timeout.toSeconds()} s`,
  });
}
