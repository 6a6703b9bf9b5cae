import { setImmediate } from 'node:timers/promises';
import {
  type BatchResultErrorEntry,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { allAborted } from '../../core/async/all-aborted.ts';
import { gaveNoAnswer } from '../../core/failures/no-answer.ts';
import { limits } from '../../core/limits.ts';
import type { Clock } from '../../ports.ts';
import { Coalescer, type PendingRequest } from '../shared/coalescer.ts';
import { gatherBehind } from '../shared/gather.ts';
import type { InFlight } from '../shared/in-flight.ts';
import { entryBytes } from './entries.ts';

/** Entries that one call takes, with no two of one FIFO group. */
export interface SendRequest {
  readonly queueUrl: string;
  readonly entries: readonly SendMessageBatchRequestEntry[];
  /** @default - never aborted */
  readonly signal?: AbortSignal | undefined;
}

type MeasuredSend = SendRequest & { readonly bytes: number };

type PendingSend = PendingRequest<MeasuredSend, readonly BatchResultErrorEntry[]>;

/** Sends to queues; what messages that are committed at the same time send to one queue goes in one call. */
export class SendBatcher {
  readonly #client: SQSClient;
  readonly #coalescer: Coalescer<MeasuredSend, readonly BatchResultErrorEntry[]>;

  /** @param commits a message that is being committed is going to be sent in a moment */
  constructor(client: SQSClient, clock: Clock, commits: InFlight) {
    this.#client = client;
    this.#coalescer = new Coalescer({
      gather: gatherBehind(commits, {
        nextTurn: () => setImmediate(),
        sleep: (durationMs, signal) => clock.sleep(durationMs, signal),
      }),
      fits: isOneCall,
      isFull: (group) => group.flatMap(({ entries }) => entries).length === limits.sendBatchEntries,
      run: (group) => this.#run(group),
      failsAll: (error) => isThrottling(error) || gaveNoAnswer(error),
    });
  }

  /**
   * Its signal ends a call only together with those of all requests that share the call: by itself it would
   * take the others' messages with it. Whoever is aborted alone stops waiting.
   *
   * @returns the entries that SQS did not take
   * @throws what the SDK throws for a call that failed as a whole
   */
  async send(request: SendRequest): Promise<readonly BatchResultErrorEntry[]> {
    const bytes = request.entries.reduce((total, entry) => total + entryBytes(entry), 0);
    return await this.#coalescer.add({ ...request, bytes });
  }

  async #run(group: readonly PendingSend[]): Promise<void> {
    // Each request numbers its entries by itself: in the call that they share they need other ids.
    const parts = group.flatMap((asked) => asked.request.entries.map((entry) => ({ asked, entry })));
    const command = new SendMessageBatchCommand({
      QueueUrl: group[0]?.request.queueUrl,
      Entries: parts.map(({ entry }, index) => ({ ...entry, Id: String(index) })),
    });
    const abortSignal = allAborted(group.map(({ request }) => request.signal));
    const { Failed: failed = [] } = await this.#client.send(command, { ...(abortSignal && { abortSignal }) });
    const failedParts = failed.map((failure) => ({ failure, part: parts[Number(failure.Id)] }));
    for (const asked of group) {
      const own = failedParts.filter(({ part }) => part?.asked === asked);
      asked.resolve(own.map(({ failure, part }) => ({ ...failure, Id: part?.entry.Id })));
    }
  }
}

/**
 * Two of one FIFO group never go together: SQS may refuse the first and take the second, which would turn
 * them round.
 */
function isOneCall(group: readonly MeasuredSend[], request: MeasuredSend): boolean {
  const all = [...group, request];
  const entries = all.flatMap((one) => one.entries);
  const groupIds = entries.flatMap(({ MessageGroupId: id }) => (id === undefined ? [] : [id]));
  return (
    all.every(({ queueUrl }) => queueUrl === request.queueUrl) &&
    entries.length <= limits.sendBatchEntries &&
    all.reduce((total, { bytes }) => total + bytes, 0) <= limits.sendBatchBytes &&
    (!isFifoQueue(request) || new Set(groupIds).size === groupIds.length)
  );
}

function isFifoQueue({ queueUrl }: SendRequest): boolean {
  return queueUrl.endsWith('.fifo');
}

/**
 * Errors of a call that is too much for now, whoever makes it. Source: "Common errors" in the Amazon SQS API
 * Reference.
 */
const throttlingErrors = new Set([
  'RequestThrottled',
  'ThrottlingException',
  'Throttling',
  'KmsThrottled',
  'OverLimit',
  'ServiceUnavailable',
]);

function isThrottling(error: unknown): boolean {
  return error instanceof Error && throttlingErrors.has(error.name);
}

const batchersOfClients = new WeakMap<SQSClient, WeakMap<InFlight, SendBatcher>>();

/** The same for all flows on one client whose commits are counted together. */
export function sharedSendBatcher(client: SQSClient, clock: Clock, commits: InFlight): SendBatcher {
  const batchers = batchersOfClients.get(client) ?? new WeakMap<InFlight, SendBatcher>();
  batchersOfClients.set(client, batchers);
  const batcher = batchers.get(commits) ?? new SendBatcher(client, clock, commits);
  batchers.set(commits, batcher);
  return batcher;
}
