import type { SQSRecord } from 'aws-lambda';
import type { Flow } from '../attempt/attempt.ts';
import type { SagaQueues } from '../attempt/saga-queue/saga-queue.ts';
import type { BatchFailureHandling } from '../compose/handler/batch-handler.ts';
import type { Definition } from '../compose/handler/route-messages.ts';
import type { MessageReport } from '../observe/hooks.ts';
import { FailureLog } from '../recoverability/failure-log.ts';
import type { MessageFailure, RetrySettings } from '../recoverability/policy.ts';
import { type DeliveryResult, deliveryResult } from './delivery-result.ts';
import { invokeFunction } from './invoke-function.ts';
import type { TestTables } from './tables/test-tables.ts';
import type { TestOptions } from './test-options.ts';

/** What the deliveries to one endpoint under test share. */
export interface TestedEndpoint {
  readonly definition: Definition;
  readonly flow: Flow;
  readonly options: TestOptions;
  readonly tables: TestTables;
  /** Deliveries at one time wait for each other, as the messages of one batch do. */
  readonly queues: SagaQueues;
}

/**
 * Delivers one record, in an invocation of its own.
 *
 * @throws what returns the record to its queue in production; SagaboxError `ImmediateSendFailed` after the commit
 */
export async function deliverRecord(
  { definition, flow, options, tables, queues }: TestedEndpoint,
  record: SQSRecord,
): Promise<DeliveryResult> {
  const failures: MessageFailure[] = [];
  const { reports, commits, sent, unsent } = await invokeFunction(
    {
      definitions: [definition],
      flowOf: (saga) => ({ ...flow, saga }),
      options,
      tables,
      configureFailures: (retries) => failureHandling(flow, retries, failures),
      queues,
    },
    [record],
  );
  for (const { error } of failures) throw error;
  for (const error of unsent.values()) throw error;
  return deliveryResult(reports.at(-1) as MessageReport, commits.at(-1), sent, flow.ports.clock.now());
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
    setsDelayOf: () => false,
    log,
    now: () => clock.now(),
    sleep: (durationMs) => clock.sleep(durationMs),
    random: () => 0,
    delayReturned: async () => {},
  };
}
