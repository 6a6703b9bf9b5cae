import { numberIn } from '../../kernel/checks/bounds.ts';
import { assertCheck } from '../../kernel/checks/checks.ts';
import type { MessageShape } from '../message-shape.ts';
import { type PlanMessageOptions, planMessage } from '../plan-message.ts';
import { sumOfUnits } from '../steps.ts';
import { mixedSteps, stepsOf } from './call-steps.ts';
import { type CapacityReport, capacityReport } from './capacity-report.ts';
import { compareSteps } from './comparison.ts';
import {
  countOf,
  type ObservedMessage,
  type ObservedMessages,
  timesSteps,
  unplannedOutcomes,
  withMessage,
} from './observed-messages.ts';
import type { MeteredCall, RecordedCall } from './recorded-call.ts';
import { refusedWriteUnits } from './refused-write.ts';
import { reportedUnits, takesUnits } from './reported-units.ts';

/** What the recorder needs of a client of the AWS SDK. */
export interface WatchedClient {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<unknown>,
        context: { commandName?: string },
      ) => (args: never) => Promise<unknown>,
      options: { step: 'finalizeRequest'; name: string; priority: 'low' },
    ): void;
    remove(name: string): boolean;
  };
}

/** Names each watch, as several recorders may watch one client. */
let watches = 0;

/**
 * Sees every call that clients of the AWS SDK make, and sets what each took beside what the plan of the
 * messages says. For a test of your own handlers, or for a function that is to tell.
 *
 * Units are those that the engine reports. A call that a condition refused counts as a call without units;
 * what it takes, which no engine reports, stands by itself (`refusedWcu`).
 *
 * @example
 * ```ts
 * import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
 * import { SQSClient } from '@aws-sdk/client-sqs';
 * import { createHandler, defineHandlers } from 'sagabox';
 * import { CallRecorder, formatReport } from 'sagabox/capacity';
 *
 * const billing = defineHandlers({ messages: {}, handlers: {} });
 * const [dynamoDBClient, sqsClient] = [new DynamoDBClient({}), new SQSClient({})];
 * const recorder = new CallRecorder();
 * const stop = recorder.watch(dynamoDBClient, sqsClient);
 * const { onMessage } = recorder;
 * const handler = createHandler(billing, { endpoint: 'billing', dynamoDBClient, sqsClient, onMessage });
 * // … deliver messages to the handler, one by one
 * stop();
 * console.log(formatReport(recorder.report({ outgoing: 3, messageBytes: 500 })));
 * ```
 */
export class CallRecorder {
  /** Why the units may not be trusted: calls that did not ask for them. */
  readonly doubts: string[] = [];
  #calls: MeteredCall[] = [];
  #messages: readonly ObservedMessages[] = [];

  /** Give it to a handler as `onMessage`: it counts the messages that the handler handled. */
  readonly onMessage = (report: ObservedMessage): void => {
    this.#messages = withMessage(this.#messages, report);
  };

  /** The attempts at messages that handlers told of, by message type and outcome. */
  get messages(): readonly ObservedMessages[] {
    return this.#messages;
  }

  /** In the order in which they were answered. */
  get calls(): readonly MeteredCall[] {
    return this.#calls;
  }

  /**
   * Behind the SDK's own retries: each of them is a call.
   *
   * @returns what ends it
   */
  watch(...clients: readonly WatchedClient[]): () => void {
    watches += 1;
    const name = `sagaboxCallRecorder${watches}`;
    for (const { middlewareStack } of clients) {
      middlewareStack.add(
        (next, context) => async (args) => {
          const operation = (context.commandName ?? '').replace(/Command$/, '');
          const { input } = args as { input: unknown };
          try {
            const result = await next(args);
            this.add({ operation, input, output: (result as { output: unknown }).output });
            return result;
          } catch (error) {
            this.add({ operation, input, error });
            throw error;
          }
        },
        { name, step: 'finalizeRequest', priority: 'low' },
      );
    }
    return () => {
      for (const { middlewareStack } of clients) middlewareStack.remove(name);
    };
  }

  /** Counts a call that was made elsewhere. */
  add(call: RecordedCall): void {
    const reported = reportedUnits(call);
    const units = sumOfUnits(reported ?? []);
    const isUnreported = call.error === undefined && takesUnits(call) && reported === undefined;
    this.#calls.push({ ...call, units, refusedWcu: refusedWriteUnits(call), isUnreported });
    const doubt = `${call.operation} did not ask for its consumed capacity`;
    if (isUnreported && !this.doubts.includes(doubt)) this.doubts.push(doubt);
  }

  /** Returns the recorded calls, and forgets them and their messages: for long runs. */
  take(): readonly MeteredCall[] {
    const calls = this.#calls;
    this.#calls = [];
    this.#messages = [];
    return calls;
  }

  /** The calls that were made meanwhile. */
  async during(work: () => Promise<void>): Promise<readonly MeteredCall[]> {
    const first = this.#calls.length;
    await work();
    return this.#calls.slice(first);
  }

  /**
   * The plan of messages of a shape beside the calls that were recorded, of which all count.
   *
   * Messages of one batch share calls, which the plan does not: deliver them one by one to compare calls.
   *
   * @param options the table that they were delivered on, and how many new ones were: by default those that
   *   `onMessage` told of, with its duplicates beside them, and one where it told of none
   * @throws SagaboxError `Configuration` for an invalid shape, and `messages` below 1 or not whole
   */
  report(
    shape: MessageShape,
    options: PlanMessageOptions & { readonly messages?: number } = {},
  ): CapacityReport {
    const { messages: given, ...planned } = options;
    if (given !== undefined) assertCheck(numberIn({ min: 1 }), given, 'messages');
    const isTold = given === undefined && this.#messages.length > 0;
    const handled = isTold ? countOf(this.#messages, 'handled') : (given ?? 1);
    const duplicates = isTold ? countOf(this.#messages, 'duplicate') : 0;
    const plan = planMessage(shape, planned);
    const steps = [
      ...(handled > 0 ? timesSteps(plan.steps, handled) : []),
      ...(duplicates > 0 ? timesSteps(plan.duplicate.steps, duplicates) : []),
    ];
    const doubts = [
      ...this.doubts,
      ...mixedSteps(this.#calls),
      ...(isTold ? unplannedOutcomes(this.#messages) : []),
    ];
    return capacityReport(compareSteps(steps, this.#calls.flatMap(stepsOf)), doubts, handled + duplicates);
  }
}
