import type { Context as LambdaContext, SQSRecord } from 'aws-lambda';
import type { Flow } from '../attempt/attempt.ts';
import type { SagaQueues } from '../attempt/saga-queue/saga-queue.ts';
import { flowOnce } from '../compose/flow-source.ts';
import { type BatchFailureHandling, batchHandler } from '../compose/handler/batch-handler.ts';
import { type Definition, routeMessages } from '../compose/handler/route-messages.ts';
import type { SqsBatchOptions } from '../compose/options.ts';
import type { EnvelopeOptions } from '../messages/envelope.ts';
import type { IncomingMessage, OutgoingOperation } from '../messages/message.ts';
import type { MessageReport } from '../observe/hooks.ts';
import type { Commit } from '../outbox/commit.ts';
import type { RetrySettings } from '../recoverability/policy.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import { ImmediateSends, type SendImmediately } from './immediate-sends.ts';
import { lambdaContext } from './lambda-context.ts';
import { observedCommitter } from './observed-committer.ts';
import { answeringFrom } from './tables/answered-calls.ts';
import type { TestTables } from './tables/test-tables.ts';

/** A function of an endpoint under test. */
export interface TestedFunction {
  readonly definitions: readonly Definition[];
  /** Of a saga, or of handlers without one. */
  readonly flowOf: (saga: SagaRules | undefined) => Flow;
  readonly options: EnvelopeOptions &
    Pick<SqsBatchOptions, 'recoverability'> & { readonly context?: Partial<LambdaContext> };
  /** Reads of the handlers are answered from them. */
  readonly tables: TestTables;
  readonly configureFailures: (retries: RetrySettings) => BatchFailureHandling;
  /** @default - each invocation has its own */
  readonly queues?: SagaQueues;
}

/** What an invocation has done, in the order in which it was. */
export interface InvocationEffects {
  /** Of each attempt. */
  readonly reports: readonly MessageReport[];
  readonly commits: readonly Commit[];
  /** Everything that was sent. */
  readonly sent: readonly OutgoingOperation[];
  /** By the ids of messages. */
  readonly unsent: ImmediateSends['failures'];
}

/** Runs a batch as `createHandler` does, on ports in memory and a clock that stands still. */
export async function invokeFunction(
  { definitions, flowOf, options, tables, configureFailures, queues }: TestedFunction,
  records: readonly SQSRecord[],
): Promise<InvocationEffects> {
  const reports: MessageReport[] = [];
  const commits: Commit[] = [];
  const sent: OutgoingOperation[] = [];
  const immediate = new ImmediateSends();
  const observed = (flow: Flow): Flow => {
    const onMessage: Flow['hooks']['onMessage'] = async (report, ...others) => {
      reports.push(report);
      await flow.hooks.onMessage?.(report, ...others);
    };
    const { committer, dispatcher } = flow.ports;
    const dispatch: Dispatcher['dispatch'] = async (operations, ...others) => {
      await dispatcher.dispatch(operations, ...others);
      sent.push(...operations);
    };
    const ports = {
      ...flow.ports,
      committer: observedCommitter(committer, commits),
      dispatcher: { dispatch },
    };
    return { ...flow, hooks: { ...flow.hooks, onMessage }, ports };
  };
  const { handler } = routeMessages(
    'the test kit',
    definitions.map((definition) => watched(definition, immediate)),
    (saga) => flowOnce(() => observed(flowOf(saga))),
  );
  const deliver = batchHandler(
    handler,
    { ...options, throwOnFullBatchFailure: false },
    { configure: configureFailures, startTimer: () => () => {}, ...(queues && { queues }) },
  );
  const context = { ...lambdaContext(), ...options.context };
  await answeringFrom(tables, () => deliver({ Records: records }, context));
  return { reports, commits, sent, unsent: immediate.failures };
}

function watched(definition: Definition, immediate: ImmediateSends): Definition {
  const { handler } = definition;
  const handle = (message: IncomingMessage, context: { sendImmediately?: SendImmediately }) => {
    immediate.watch(message.id, context);
    return handler(message as never, context as never);
  };
  return { ...definition, handler: handle as Definition['handler'] };
}
