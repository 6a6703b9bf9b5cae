import middy from '@middy/core';
import type { SQSRecord } from 'aws-lambda';
import type { Commit } from '../core/outbox/commit.ts';
import type { Flow, MessageReport } from '../flow/attempt.ts';
import { FailureLog } from '../flow/recoverability/failure-log.ts';
import type { MessageFailure, RetrySettings } from '../flow/recoverability/policy.ts';
import type { SagaLines } from '../flow/saga/saga-line.ts';
import { type BatchFailureHandling, batchHandler, type MessageHandler } from '../middleware/batch-handler.ts';
import { outboxMiddleware } from '../middleware/outbox-middleware.ts';
import type { Committer } from '../ports.ts';
import { type DeliveryResult, deliveryResult } from './delivery-result.ts';
import { lambdaContext } from './lambda-context.ts';
import type { TestOptions } from './test-options.ts';

/** What the deliveries to one endpoint under test share. */
export interface TestedEndpoint {
  readonly handler: MessageHandler;
  readonly flow: Flow;
  readonly options: TestOptions;
  /** Deliveries at one time wait for each other, as the messages of one batch do. */
  readonly lines: SagaLines;
}

/**
 * Runs one record through `sqsBatch` and `sagaOutbox`, on ports in memory and a clock that stands still.
 *
 * @throws what returns the record to its queue in production
 */
export async function deliverRecord(
  { handler, flow, options, lines }: TestedEndpoint,
  record: SQSRecord,
): Promise<DeliveryResult> {
  const { hooks, ports } = flow;
  const reports: MessageReport[] = [];
  const commits: Commit[] = [];
  const failures: MessageFailure[] = [];
  const committer: Committer = {
    keep: (write) => ports.committer.keep(write),
    readKept: (kept) => ports.committer.readKept(kept),
    async commit(commit, meter) {
      await ports.committer.commit(commit, meter);
      commits.push(commit);
    },
  };
  const observed: Flow = {
    ...flow,
    hooks: { ...hooks, onMessage: (report) => void reports.push(report) },
    ports: { ...ports, committer },
  };

  // The early answer of middy would run on a timer of the process.
  const handle = middy(handler as () => Promise<unknown>, { timeoutEarlyInMillis: 0 }).use(
    outboxMiddleware(() => observed, options),
  );
  const deliver = batchHandler(
    handle,
    { ...options, throwOnFullBatchFailure: false },
    {
      configure: (retries) => failureHandling(flow, retries, failures),
      startTimer: () => () => {},
      lines,
    },
  );
  await deliver({ Records: [record] }, { ...lambdaContext(), ...options.context });
  for (const { error } of failures) throw error;
  return deliveryResult(reports.at(-1) as MessageReport, commits.at(-1), ports.clock.now());
}

/** Keeps each failure that returns its message, in place of an error queue and of delays. */
function failureHandling(
  { endpoint, logger, ports: { clock } }: Flow,
  retries: RetrySettings,
  failures: MessageFailure[],
): BatchFailureHandling {
  const log = new FailureLog(endpoint, logger, {});
  log.returned = (failure) => void failures.push(failure);
  return {
    ...retries,
    policy: undefined,
    errorQueue: undefined,
    maxReceiveCount: undefined,
    endpoint,
    queueUrlOf: () => undefined,
    log,
    now: () => clock.now(),
    sleep: (durationMs) => clock.sleep(durationMs),
    random: () => 0,
    delayReturned: async () => {},
  };
}
