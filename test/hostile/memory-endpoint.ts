import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type CreateHandlerOptions, createHandler, type MessageReport } from 'sagabox';
import type { Definition } from '../../lib/compose/handler/route-messages.ts';
import { parseDestinations } from '../../lib/messages/destinations/destination.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { MemoryClaimChecks } from '../../lib/testing/memory/claim-checks.ts';
import { MemoryOutboxStore } from '../../lib/testing/memory/outbox-store.ts';
import { MemorySagaLocks } from '../../lib/testing/memory/saga-locks.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { MappedCommitter, mappedSagas } from '../../lib/testing/test-stores.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { capturedSqs } from './captured-sqs.ts';
import type { AnyRecord } from './hostile-records.ts';
import { WireDispatcher } from './wire-dispatcher.ts';

export const ERROR_QUEUE = 'https://queues.test/errors';
const ENDPOINT = 'hostile';
const addresses = {
  billing: 'https://queues.test/billing',
  [ENDPOINT]: 'https://queues.test/hostile',
};

/** What one batch came to. */
export interface BatchOutcome {
  readonly returned: readonly unknown[];
  readonly reports: readonly MessageReport[];
  /** Every error that was told to anybody. */
  readonly errors: readonly unknown[];
}

/** An endpoint in memory: all that is behind it can be looked at. */
export function memoryEndpoint(
  definitions: Definition | readonly Definition[],
  options: CreateHandlerOptions = {},
) {
  const storage = new MemoryStorage();
  const clock = new MovingClock(new Date('2026-01-02T00:00:00Z'));
  const sagas = mappedSagas(storage, defaultMapper);
  const dispatcher = new WireDispatcher();
  const claimChecks = new MemoryClaimChecks({
    endpoint: ENDPOINT,
    thresholdBytes: 65_536,
    destinations: parseDestinations(addresses, 'test'),
  });
  const sqs = capturedSqs();
  const reports: MessageReport[] = [];
  const errors: unknown[] = [];
  const log = (_: string, facts: Record<string, unknown> = {}) => {
    if ('error' in facts) errors.push(facts);
  };
  const handler = createHandler(definitions, {
    throwOnFullBatchFailure: false,
    endpoint: ENDPOINT,
    destinations: addresses,
    queueUrl: 'https://queues.test/hostile',
    errorQueueUrl: ERROR_QUEUE,
    sqsClient: sqs.client,
    logger: { info: log, warn: log, error: log },
    onMessage: (report) => {
      reports.push(report);
      if (report.outcome === 'failed') errors.push(report.error);
    },
    onEvent: (event) => {
      if (event.type === 'retry') errors.push(event.error);
    },
    recoverability: {
      immediateRetries: { maxRetries: 1, baseDelay: { milliseconds: 1 }, maxDelay: { milliseconds: 1 } },
    },
    ports: {
      sagas,
      locks: new MemorySagaLocks(storage, sagas, clock),
      outbox: new MemoryOutboxStore(storage, ENDPOINT),
      committer: new MappedCommitter(storage, defaultMapper, ENDPOINT),
      dispatcher,
      claimChecks,
      clock,
    },
    ...options,
  });

  /** With any event. */
  async function invoke(event: unknown): Promise<BatchOutcome> {
    const [firstReport, firstError] = [reports.length, errors.length];
    const { batchItemFailures } = await handler(event);
    return {
      returned: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
      reports: reports.slice(firstReport),
      errors: errors.slice(firstError),
    };
  }

  return {
    storage,
    reports,
    dispatcher,
    claimChecks,
    sqs,
    invoke,
    deliver: async (records: readonly AnyRecord[]) => await invoke({ Records: records }),
    /** The states of all sagas. */
    states(): unknown[] {
      return [...storage.sagas.values()].map(({ state }) =>
        defaultMapper.fromAttributes(state as Record<string, AttributeValue>),
      );
    },
  };
}

export type MemoryEndpoint = ReturnType<typeof memoryEndpoint>;
