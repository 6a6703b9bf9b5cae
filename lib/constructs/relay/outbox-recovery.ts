import { fileURLToPath } from 'node:url';
import { Duration, Stack } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { environmentVariables } from '../../core/environment-variables.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { type RecoveryStrategy, recoveryDefaults } from '../../core/outbox/recovery-defaults.ts';
import { endpointDefaults, unsetFunctionTimeout } from '../endpoint/endpoint-settings.ts';
import { handlerFunction } from '../endpoint/handler-function.ts';
import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';
import type { AnyTable } from '../tables/any-table.ts';
import { grantOutboxRecovery } from './outbox-recovery-access.ts';
import type { OutboxRecoveryProps } from './outbox-recovery-props.ts';
import { isRateOfSchedule, type RecoveryFacts, recoveryViolations } from './outbox-recovery-rules.ts';

const defaults = {
  every: Duration.minutes(15),
  olderThan: Duration.minutes(recoveryDefaults.olderThan.minutes),
  functionTimeout: Duration.minutes(15),
  memorySizeMb: 256,
} as const;

type RecoverySettings = Pick<RecoveryFacts, 'strategy' | 'olderThan' | 'maximumReadUnitsPerSecond'>;

/**
 * A function that runs on a schedule, and dispatches what functions that died left undispatched in the outbox of an endpoint
 * when their messages are not delivered again. It has the permissions of exactly that, and the endpoint's environment.
 *
 * Settings that are out of range, or do not fit the endpoint's function, are reported at synth, all at once.
 *
 * @throws SagaboxError `Configuration` when the endpoint has no outbox, or the strategy is 'index' and it keeps no records in one
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
    const strategy = strategyOf(props);
    const functionTimeout = props.functionTimeout ?? defaults.functionTimeout;
    this.function = handlerFunction(this, 'Function', {
      entry: props.entry ?? ownEntry(),
      timeout: functionTimeout,
      memorySizeMb: props.memorySizeMb ?? defaults.memorySizeMb,
      architecture: props.architecture ?? endpointDefaults.architecture,
      bundling: props.bundling ?? {},
    });
    // The next run tries again, and an alarm is to count each failed run once.
    this.function.configureAsyncInvoke({ retryAttempts: 0 });
    const { maximumReadUnitsPerSecond = recoveryDefaults.maximumReadUnitsPerSecond } = props;
    this.#setEnvironment(endpoint, { strategy, olderThan, maximumReadUnitsPerSecond });
    grantOutboxRecovery(table, this.function, strategy);
    endpoint.grantDispatch(this.function);
    this.rule = new Rule(this, 'Rule', {
      // A rate that EventBridge refuses is reported with all other problems.
      schedule: Schedule.rate(isRateOfSchedule(every) ? every : defaults.every),
      targets: [new LambdaTarget(this.function)],
    });
    const facts: RecoveryFacts = {
      every,
      olderThan,
      strategy,
      maximumReadUnitsPerSecond,
      functionTimeout,
      endpointFunctionTimeout: endpoint.function.timeout ?? unsetFunctionTimeout,
    };
    this.node.addValidation({ validate: () => recoveryViolations(facts) });
  }

  /** The runs that failed: records could not be dispatched, or could not be looked for. */
  metricRecoveryErrors(options?: MetricOptions): Metric {
    return this.function.metricErrors(options);
  }

  #setEnvironment(endpoint: MessageEndpoint, { olderThan, ...settings }: RecoverySettings): void {
    const recovery = { olderThanSeconds: olderThan.toSeconds({ integral: false }), ...settings };
    const variables = {
      ...endpoint.handlerEnvironment,
      [environmentVariables.recovery]: Stack.of(this).toJsonString(recovery),
    };
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
  }
}

/** `.ts` when run from source, `.js` when run from the published package. */
function ownEntry(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../../recovery-handler.${extension}`, import.meta.url));
}

function strategyOf({ endpoint, strategy }: OutboxRecoveryProps): RecoveryStrategy {
  if (strategy === undefined) return endpoint.hasRecoveryIndex ? 'index' : 'scan';
  if (strategy !== 'index' || endpoint.hasRecoveryIndex) return strategy;
  throw new SagaboxError('Configuration', {
    setting: 'strategy',
    problem: `it is 'index', and '${endpoint.node.path}' keeps no records in one, so that nothing would ever be found`,
    remedy:
      "Make the outboxTable with recoveryIndex, tell the endpoint by its recoveryIndex that the table has the index, or use 'scan'",
  });
}

function outboxTableOf({ endpoint }: OutboxRecoveryProps): AnyTable {
  if (endpoint.outboxTable !== undefined) return endpoint.outboxTable;
  throw new SagaboxError('Configuration', {
    setting: 'endpoint',
    problem: `'${endpoint.node.path}' has no outboxTable, so that there is nothing to recover`,
    remedy: 'Give the endpoint an outboxTable',
  });
}
