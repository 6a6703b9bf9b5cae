import type { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import { configureFailureHandling } from '../../lib/compose/configure-failure-handling.ts';
import { configureFlow } from '../../lib/compose/configure-flow.ts';
import { flowOnce } from '../../lib/compose/flow-source.ts';
import {
  type BatchParts,
  batchHandler,
  type MessageHandler,
  type SqsBatchHandler,
} from '../../lib/compose/handler/batch-handler.ts';
import {
  type OutboxMiddleware,
  outboxMiddleware,
  throughContext,
} from '../../lib/compose/handler/outbox-middleware.ts';
import type { SagaOutboxOptions } from '../../lib/compose/options.ts';
import { retrySettings } from '../../lib/compose/settings.ts';
import { isSagaboxError } from '../../lib/kernel/errors/errors.ts';
import { headerNames } from '../../lib/messages/headers.ts';
import { defaultPolicy, type RecoverabilityPolicy, recoverability } from '../../lib/recoverability/policy.ts';
import type { Locking } from '../../lib/saga/definition/locking.ts';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { auditHandlers, type HandlerSurroundings, orderSaga } from './endpoints.ts';
import type { Instance } from './instance.ts';
import { destinations, endpointNames, type MessageScript, queueName, queueUrl } from './message-script.ts';
import { isWaitedFor } from './outbox-plans.ts';
import { DEDUPLICATION_MS } from './scenario.ts';
import { simulatedPorts } from './simulated-ports.ts';
import { MAX_RECEIVE_COUNT } from './simulated-queue.ts';
import { errorAnswer } from './simulated-refusal.ts';
import type { World } from './world.ts';

/** The function of the endpoint; all calls that leave it go through the simulation. */
export function endpointHandler(instance: Instance, endpoint: string, form: SagaOutboxForm): SqsBatchHandler {
  const { world, clock } = instance;
  const options = {
    endpoint,
    ports: simulatedPorts(instance, endpoint),
    sqsClient: queueClient(instance, endpoint),
    destinations,
    scheduler: { groupName: 'timeouts', roleArn: 'arn:aws:iam::123456789012:role/scheduler' },
    queueUrl: queueUrl(queueName(endpoint)),
    ...(world.scenario.hasErrorQueue && { errorQueueUrl: queueUrl('errors') }),
    maxReceiveCount: MAX_RECEIVE_COUNT,
    // An invocation that throws is one that returns all of its records.
    throwOnFullBatchFailure: false,
    ...(canIgnore(world) && { recoverability: { policy: ignoringPolicy(instance) } }),
    logger: silentLogger,
    locking: lockingOf(instance),
    deduplicationPeriod: { milliseconds: DEDUPLICATION_MS },
    onMessage: (report: Parameters<NonNullable<Instance['invocation']>['reported']>[0]) => {
      const { messageId, error } = report;
      if (isSagaboxError(error) && error.code === 'OtherSagaForm') {
        world.coverage.add('messages of another form refused');
        instance.invocation?.disturbances.failure(messageId, false);
        if (isWaitedFor(world.scenario.outbox ?? 'records'))
          world.violate('kept', `'${messageId}' is refused, though it was waited for: ${error.message}`);
      }
      instance.invocation?.reported(report);
    },
  };
  // The early answer of middy runs on a timer of the process.
  const withoutTimer = { timeoutEarlyInMillis: 0 };
  const system = { now: clock.now, sleep: clock.sleep, random: () => world.random() };
  const parts: BatchParts = {
    configure: (retries) => configureFailureHandling(options, retries, system),
    startTimer: (delayMs, callback) => world.time.start(instance, delayMs, callback),
  };
  if (endpoint === endpointNames.audit) {
    const handle = middy(auditHandlers().handler as never, withoutTimer).use(
      outboxOf(instance, options) as never,
    );
    return batchHandler(throughContext(handle as MessageHandler), options, parts);
  }
  const surroundings: HandlerSurroundings = {
    pause: () => instance.call({ port: 'pause', about: () => '', perform: async () => {} }),
    countAttempt: (messageId) => world.countAttempt(messageId),
    saw: (messageId, ledger) => instance.invocation?.saw.set(messageId, ledger),
    isStrict: () => world.isStrict,
    failing: (messageId) => {
      const { invocation } = instance;
      return (isUnrecoverable) => invocation?.disturbances.failure(messageId, isUnrecoverable);
    },
  };
  const saga = orderSaga(surroundings, form);
  const handle = middy(saga.handler as never, withoutTimer).use(
    outboxOf(instance, { ...options, saga }) as never,
  );
  return batchHandler(throughContext(handle as MessageHandler), options, parts);
}

/** `sagaOutbox`, which waits for leases as the history says. */
function outboxOf({ world }: Instance, options: SagaOutboxOptions): OutboxMiddleware {
  const makeFlow = () => {
    const { leases, ...flow } = configureFlow(options);
    return { ...flow, leases: leases && { ...leases, random: () => world.random() } };
  };
  return outboxMiddleware(flowOnce(makeFlow), options);
}

function canIgnore({ scenario }: World): boolean {
  return scenario.messages.some(({ failures }) => failures === 'ignored');
}

/** Ignores each failure of a message whose script says so, also if it may be committed. */
function ignoringPolicy(instance: Instance): RecoverabilityPolicy {
  const byDefault = defaultPolicy(retrySettings({}), () => instance.world.random());
  return (failure) => {
    const isIgnored = (failure.message?.body as MessageScript | undefined)?.failures === 'ignored';
    return isIgnored ? recoverability.ignore : byDefault(failure);
  };
}

function lockingOf({ world, number }: Instance): Locking {
  const { mode: scenarioMode, renews } = world.scenario;
  const mode = scenarioMode === 'mixed' ? (number % 2 === 0 ? 'optimistic' : 'pessimistic') : scenarioMode;
  if (mode !== 'pessimistic') return { mode: 'optimistic', consistentRead: mode === 'optimistic' };
  return {
    mode,
    leaseDuration: { seconds: 10 },
    leaseAcquisitionTimeout: { seconds: 5 },
    minRefreshDelay: { milliseconds: 200 },
    maxRefreshDelay: { milliseconds: 200 },
    renew: renews,
  };
}

interface QueueCommand {
  readonly input: {
    readonly Entries?: readonly { readonly ReceiptHandle: string; readonly VisibilityTimeout: number }[];
    readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string }>>;
  };
}

/** The SQS calls of the batch handler itself: to the error queue, and for visibility. */
function queueClient(instance: Instance, endpoint: string): SQSClient {
  const { world } = instance;
  const send = ({ input }: QueueCommand, options?: { abortSignal?: AbortSignal }) => {
    const signal = options?.abortSignal;
    const refusal = () => errorAnswer('connection lost');
    if (input.Entries) {
      const changes = input.Entries;
      const perform = async () => {
        for (const { ReceiptHandle: sqsId, VisibilityTimeout: seconds } of changes)
          world.queue.changeVisibility(sqsId, world.time.nowMs + seconds * 1000);
        return {};
      };
      return instance.call({
        port: 'visibility',
        about: () => `of ${changes.length}`,
        perform,
        refusal,
        signal,
      });
    }
    const messageId = input.MessageAttributes?.[headerNames.messageId]?.StringValue ?? '';
    // One that was given up can take effect while the next invocation runs.
    const { invocation } = instance;
    invocation?.forwarding.add(messageId);
    if (endpoint === endpointNames.orders) invocation?.failing(messageId);
    const perform = async () => {
      world.forwarded.add(`${endpoint} ${messageId}`);
      invocation?.forwarded.add(messageId);
      return {};
    };
    return instance.call({ port: 'forward', about: () => messageId, perform, refusal, signal });
  };
  return { send } as unknown as SQSClient;
}
