import { fileURLToPath } from 'node:url';
import { Duration, Stack } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { assertNoRenamedSettings } from '../../core/checks/renamed-settings.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { type RelayStrategy, relayDefaults } from '../../core/outbox/relay-defaults.ts';
import type { AnyTable } from '../any-resource.ts';
import { endpointDefaults, unsetFunctionTimeout } from '../endpoint/endpoint-settings.ts';
import { handlerFunction } from '../endpoint/handler-function.ts';
import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';
import { grantOutboxRelay } from './outbox-relay-access.ts';
import type { OutboxRelayProps } from './outbox-relay-props.ts';
import { isRateOfSchedule, type RelayFacts, relayViolations } from './outbox-relay-rules.ts';

const defaults = {
  every: Duration.minutes(15),
  olderThan: Duration.minutes(relayDefaults.olderThan.minutes),
  functionTimeout: Duration.minutes(15),
  memorySizeMb: 256,
} as const;

type RelaySettings = Pick<RelayFacts, 'strategy' | 'olderThan' | 'maxReadUnitsPerSecond'>;

/**
 * A function that runs on a schedule, and dispatches what functions that died left in the outbox of an
 * endpoint, if their messages are not delivered again. It has the permissions of exactly that, and the
 * endpoint's environment.
 *
 * Settings that are out of range, or do not fit the endpoint's function, are reported at synth, all at once.
 *
 * @throws SagaboxError `Configuration` when the endpoint has no outbox, or the strategy is 'index' and it
 *   keeps no records in one
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const outboxTable = new OutboxTable(stack, 'Outbox', { relayIndex: true });
 * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', outboxTable });
 * const relay = new OutboxRelay(stack, 'OrdersRelay', { endpoint: orders });
 * relay.metricRelayErrors().createAlarm(stack, 'OrdersNotRelayed', { threshold: 1, evaluationPeriods: 1 });
 * ```
 */
export class OutboxRelay extends Construct {
  readonly function: LambdaFunction;
  readonly rule: Rule;

  constructor(scope: Construct, id: string, props: OutboxRelayProps) {
    super(scope, id);
    assertNoRenamedSettings(props);
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
    const { maxReadUnitsPerSecond = relayDefaults.maxReadUnitsPerSecond } = props;
    this.#setEnvironment(endpoint, { strategy, olderThan, maxReadUnitsPerSecond });
    grantOutboxRelay(table, this.function, strategy);
    endpoint.grantDispatch(this.function);
    this.rule = new Rule(this, 'Rule', {
      // A rate that EventBridge refuses is reported with all other problems.
      schedule: Schedule.rate(isRateOfSchedule(every) ? every : defaults.every),
      targets: [new LambdaTarget(this.function)],
    });
    const facts: RelayFacts = {
      every,
      olderThan,
      strategy,
      maxReadUnitsPerSecond,
      functionTimeout,
      endpointFunctionTimeout: endpoint.function.timeout ?? unsetFunctionTimeout,
    };
    this.node.addValidation({ validate: () => relayViolations(facts) });
  }

  /** The runs that failed: records could not be dispatched, or could not be looked for. */
  metricRelayErrors(options?: MetricOptions): Metric {
    return this.function.metricErrors(options);
  }

  #setEnvironment(endpoint: MessageEndpoint, { olderThan, ...settings }: RelaySettings): void {
    const relay = { olderThanSeconds: olderThan.toSeconds({ integral: false }), ...settings };
    const variables = {
      ...endpoint.handlerEnvironment,
      [environmentVariables.relay]: Stack.of(this).toJsonString(relay),
    };
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
  }
}

/** `.ts` when run from source, `.js` when run from the published package. */
function ownEntry(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../../relay-handler.${extension}`, import.meta.url));
}

function strategyOf({ endpoint, strategy }: OutboxRelayProps): RelayStrategy {
  if (strategy === undefined) return endpoint.hasRelayIndex ? 'index' : 'scan';
  if (strategy !== 'index' || endpoint.hasRelayIndex) return strategy;
  throw new SagaboxError('Configuration', {
    setting: 'strategy',
    problem: `it is 'index', and '${endpoint.node.path}' keeps no records in one, so that nothing would ever be found`,
    remedy:
      "Make the outboxTable with relayIndex, tell the endpoint by its relayIndex that the table has the index, or use 'scan'",
  });
}

function outboxTableOf({ endpoint }: OutboxRelayProps): AnyTable {
  if (endpoint.outboxTable !== undefined) return endpoint.outboxTable;
  throw new SagaboxError('Configuration', {
    setting: 'endpoint',
    problem: `'${endpoint.node.path}' has no outboxTable, so that there is nothing to relay`,
    remedy: 'Give the endpoint an outboxTable',
  });
}
