import { randomUUID } from 'node:crypto';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { createHandler, type Locking, type MessageReport } from 'sagabox';
import { CallRecorder, itemSize, type MessageShape } from 'sagabox/capacity';
import { stepsOf } from '../../../lib/capacity/measured/call-steps.ts';
import { type ComparedStep, compareSteps } from '../../../lib/capacity/measured/comparison.ts';
import type { MeteredCall } from '../../../lib/capacity/measured/recorded-call.ts';
import type { PlannedStep } from '../../../lib/capacity/message-shape.ts';
import { compress } from '../../../lib/dynamodb/compression.ts';
import { messageIdOfPartition } from '../../../lib/dynamodb/keys.ts';
import { pack, unpack } from '../../../lib/outbox/packing.ts';
import type { RecordEncoding } from '../../../lib/outbox/record-encoding.ts';
import { lambdaContext } from '../../../lib/testing/lambda-context.ts';
import { type GridBody, type GridType, gridRecord, gridSaga } from './grid-messages.ts';

type Item = Record<string, AttributeValue>;

export interface GridSetup {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  readonly sagaTable: string;
  readonly outboxTable: string;
  /** Of the destinations q0, q1, … */
  readonly queueUrls: readonly string[];
  readonly locking: Locking;
  readonly outbox: boolean;
  readonly onMessage?: (report: MessageReport) => void;
}

/** What stands in items and messages besides the text that fills them up. */
export interface Besides {
  readonly saga: number;
  readonly message: number;
  readonly metadata: number;
}

const endpoint = 'e';
/** Of all endpoints: they may share a table. */
let sagas = 0;

/** A real endpoint whose calls are recorded, and whose items and messages are as large as wanted. */
export class GridEndpoint {
  readonly recorder = new CallRecorder();
  readonly problems: string[] = [];
  readonly #handler: (event: { Records: ReturnType<typeof gridRecord>[] }) => Promise<unknown>;
  readonly #stop: () => void;

  constructor(setup: GridSetup) {
    const { dynamoDBClient, sqsClient, locking, outbox, onMessage } = setup;
    const keep = (...parts: unknown[]) => void this.problems.push(parts.map(String).join(' '));
    const handler = createHandler(gridSaga, {
      throwOnFullBatchFailure: false,
      endpoint,
      sagaTable: { tableName: setup.sagaTable },
      outboxTable: { tableName: setup.outboxTable },
      destinations: Object.fromEntries(
        setup.queueUrls.map((address, index) => [`q${index}`, { address, maxMessageSizeBytes: 1024 * 1024 }]),
      ),
      locking,
      outbox,
      ...(onMessage && { onMessage }),
      dynamoDBClient,
      sqsClient,
      recoverability: { immediateRetries: { maxRetries: 0 } },
      logger: { info: () => {}, warn: keep, error: keep },
    });
    this.#handler = async (event) => await handler(event, lambdaContext());
    this.#stop = this.recorder.watch(dynamoDBClient, sqsClient);
  }

  stop(): void {
    this.#stop();
  }

  newSagaId(): string {
    sagas += 1;
    // As long as the plan takes ids to be.
    return String(sagas).padStart(36, '0');
  }

  /** One invocation with one message, and the calls that it made. */
  async deliver(
    type: GridType,
    body: Pick<GridBody, 'sagaId' | 'sagaText'> & Partial<GridBody>,
    messageId: string = randomUUID(),
  ): Promise<readonly MeteredCall[]> {
    this.recorder.doubts.splice(0);
    this.problems.splice(0);
    return await this.recorder.during(async () => {
      await this.#handler({ Records: [gridRecord(messageId, type, body)] });
    });
  }
}

export function putItems(calls: readonly MeteredCall[]): Item[] {
  return calls.flatMap(({ operation, input }) => {
    if (operation === 'PutItem') return [input.Item];
    if (operation !== 'TransactWriteItems') return [];
    const writes: { Put?: { Item: Item } }[] = input.TransactItems;
    return writes.flatMap(({ Put }) => (Put ? [Put.Item] : []));
  });
}

/** What a commit stored, as the plan wants to know it. */
export function storedShape(
  calls: readonly MeteredCall[],
): Pick<MessageShape, 'sagaBytes' | 'messageBytes' | 'compressionRatio'> {
  const items = putItems(calls);
  const saga = items.find((item) => item.SK?.S === 'SAGA');
  const packed = items.flatMap((item) => item.operations?.B ?? []);
  const record = items.find((item) => item.SK?.S === 'RECORD');
  const sagaBytes = saga === undefined ? {} : { sagaBytes: itemSize(saga) };
  if (packed.length === 0) return sagaBytes;
  const identity = { endpoint, messageId: messageIdOfPartition(endpoint, record?.PK?.S ?? '') ?? '' };
  const operations = unpack(Buffer.concat(packed), record?.encoding?.S as RecordEncoding, identity);
  const uncompressed = pack(operations, identity);
  // From the eleventh on, the version of the saga in a header has a digit more.
  const kept = operations.slice(0, 10).map((operation) => Buffer.byteLength(JSON.stringify(operation)));
  if (new Set(kept).size > 1) throw new Error(`The messages differ in size: ${kept.join(', ')}`);
  return {
    ...sagaBytes,
    messageBytes: kept[0] ?? 0,
    compressionRatio: compress(uncompressed).byteLength / uncompressed.byteLength,
  };
}

/** From a saga without text that sends one message without text. */
export async function learnBesides(endpointWithOutbox: GridEndpoint): Promise<Besides> {
  const sagaId = endpointWithOutbox.newSagaId();
  const empty = await endpointWithOutbox.deliver('Start', { sagaId, sagaText: 0 });
  const sending = await endpointWithOutbox.deliver('Step', { sagaId, sagaText: 0, outgoing: 1 });
  const metadata = putItems(empty).find((item) => item.SK?.S === 'RECORD');
  const { sagaBytes = 0, messageBytes = 0 } = storedShape(sending);
  return { saga: sagaBytes, message: messageBytes, metadata: itemSize(metadata ?? {}) };
}

/** The steps whose calls, items or units are other than planned, and calls of the handler itself, if any. */
export function differences(steps: readonly PlannedStep[], calls: readonly MeteredCall[]): ComparedStep[] {
  const compared = compareSteps(steps, calls.flatMap(stepsOf));
  return compared.filter(({ isEqual, step }) => !isEqual || step === 'other');
}
