import { setImmediate } from 'node:timers/promises';
import {
  BatchExecuteStatementCommand,
  type BatchStatementError,
  type BatchStatementResponse,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { type Consumer, splitCapacity } from '../../dynamodb/calls/consumed-capacity.ts';
import { callDynamoDB, isServiceWideError, isThrottling } from '../../dynamodb/calls/service-errors.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { writeUnits } from '../../dynamodb/capacity-units.ts';
import { settled } from '../../kernel/async/settle.ts';
import { type PendingRequest, RequestBatcher } from '../../kernel/calls/request-batcher.ts';
import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import type { Statement } from './update-builder.dynamodb.ts';

/** Source: "Running batch operations with PartiQL for DynamoDB". */
export const MAX_STATEMENTS = 25;

const operation = 'BatchExecuteStatement';

/** A conditional write of one item. */
export interface StatementWrite {
  readonly statement: Statement;
  readonly tableName: string;
  /** An id of the item, the same for each of its writes. */
  readonly itemId: string;
  /** The size of the item, as far as it is known: the sizes split the capacity that a call consumed. */
  readonly bytes: number;
  readonly meter: CapacityMeter;
  /** @throws Error once the message was returned: no call may start for it then. @default - it never is */
  assertOngoing?(): void;
}

/**
 * The outcome of a write. `refused`: the condition does not hold, or an earlier sending of the call wrote the
 * item. `alone`: the write needs a call of its own, which tells more. The batch has no other write, the role
 * may not use statements, or DynamoDB does not take this statement.
 */
export type StatementOutcome = 'written' | 'refused' | 'alone';

/**
 * Sends conditional writes that are made at the same time in one call. Each write succeeds or fails by
 * itself: the call is no transaction, and has no token. After a call without an answer, the items have to be
 * read.
 */
export class StatementBatcher {
  readonly #client: DynamoDBClient;
  readonly #requests: RequestBatcher<StatementWrite, StatementOutcome>;
  #isDenied = false;

  constructor(client: DynamoDBClient) {
    this.#client = client;
    this.#requests = new RequestBatcher({
      // Messages of a batch go in step.
      waitFor: () => setImmediate(),
      // DynamoDB refuses two statements on one item.
      fits: (group, write) =>
        group.length < MAX_STATEMENTS && !group.some(({ itemId }) => itemId === write.itemId),
      isFull: (group) => group.length === MAX_STATEMENTS,
      run: this.#run.bind(this),
      failsAll: isServiceWideError,
    });
  }

  /** @throws SagaboxError `Throttled`, `TransactionConflict`, `TableCallFailed` */
  async write(write: StatementWrite): Promise<StatementOutcome> {
    return this.#isDenied ? 'alone' : await this.#requests.add(write);
  }

  async #run(asked: readonly PendingRequest<StatementWrite, StatementOutcome>[]): Promise<void> {
    const group = asked.filter(isOngoing);
    const writes = group.map(({ request }) => request);
    const answers = writes.length > 1 ? await this.#execute(writes) : undefined;
    for (const [index, one] of group.entries()) {
      if (answers === undefined) one.resolve('alone');
      else answer(one, answers[index]?.Error);
    }
  }

  /** @returns undefined if the role may not use statements, or not each of them got an answer */
  async #execute(writes: readonly StatementWrite[]): Promise<readonly BatchStatementResponse[] | undefined> {
    const command = new BatchExecuteStatementCommand({
      Statements: writes.map(({ statement }) => statement),
      ReturnConsumedCapacity: 'TOTAL',
    });
    const tableNames = writes.map(({ tableName }) => tableName);
    const call = await settled(callDynamoDB(operation, tableNames, this.#client.send(command)));
    const answers = call.status === 'fulfilled' ? (call.value.Responses ?? []) : [];
    this.#isDenied = call.status === 'rejected' ? isDenied(call.reason) : answers.some(isDeniedAnswer);
    if (this.#isDenied) return undefined;
    if (call.status === 'rejected') throw call.reason;
    // The calls that follow find out which items were written all the same.
    if (answers.length !== writes.length) return undefined;
    const written = writes.filter((_, index) => answers[index]?.Error === undefined);
    splitCapacity(call.value.ConsumedCapacity, (written.length > 0 ? written : writes).map(consumerOf));
    return answers;
  }
}

function consumerOf({ tableName, bytes, meter }: StatementWrite): Consumer {
  return { tableName, units: writeUnits(bytes), pay: (paid) => meter.addWrite(paid) };
}

/**
 * Whether a message still waits for its write. Rejects the write of a message that was returned to its queue
 * meanwhile.
 */
function isOngoing({ request, reject }: PendingRequest<StatementWrite, StatementOutcome>): boolean {
  try {
    request.assertOngoing?.();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/**
 * Whether a statement was refused for a missing permission. DynamoDB carries out no statement of the call
 * then: the role has the action for all statements of a table, or for none.
 */
function isDeniedAnswer({ Error: error }: BatchStatementResponse): boolean {
  return error?.Code === 'AccessDenied';
}

function isDenied(error: unknown): boolean {
  return isSagaboxError(error) && error.code === 'TableAccessRefused';
}

function answer(
  { request, resolve, reject }: PendingRequest<StatementWrite, StatementOutcome>,
  error: BatchStatementError | undefined,
): void {
  const code = error?.Code;
  if (error === undefined) resolve('written');
  else if (code === 'ConditionalCheckFailed' || code === 'DuplicateItem') resolve('refused');
  else if (code === 'TransactionConflict')
    reject(new SagaboxError('TransactionConflict', { item: `an item of ${request.tableName}` }));
  else if (isThrottling(code)) reject(new SagaboxError('Throttled', { operation, reason: code ?? '' }));
  // Nothing was written: a call of its own may be understood, or tells what is wrong.
  else resolve('alone');
}
