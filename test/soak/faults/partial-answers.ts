import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  BatchWriteItemCommandInput,
  BatchWriteItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { SendMessageBatchCommandInput, SendMessageBatchCommandOutput } from '@aws-sdk/client-sqs';

/** A part of a batch is carried out, and what is left of it is told as the service tells it. */
export interface PartialCall {
  /** Nothing when all is left. */
  readonly input: object | undefined;
  readonly complete: (output: object) => object;
}

export function partialCall(operation: string, input: object, keeps: () => boolean): PartialCall {
  if (operation === 'BatchGetItem') return partialRead(input as BatchGetItemCommandInput, keeps);
  if (operation === 'BatchWriteItem') return partialWrite(input as BatchWriteItemCommandInput, keeps);
  return partialSend(input as SendMessageBatchCommandInput, keeps);
}

function partialRead(input: BatchGetItemCommandInput, keeps: () => boolean): PartialCall {
  const taken: BatchGetItemCommandInput['RequestItems'] = {};
  const left: BatchGetItemCommandInput['RequestItems'] = {};
  for (const [table, keysAndMore] of Object.entries(input.RequestItems ?? {})) {
    const { yes = [], no = [] } = split(keysAndMore.Keys ?? [], keeps);
    if (yes.length > 0) taken[table] = { ...keysAndMore, Keys: yes };
    if (no.length > 0) left[table] = { ...keysAndMore, Keys: no };
  }
  return {
    input: isEmpty(taken) ? undefined : { ...input, RequestItems: taken },
    complete: (output) => ({ ...(output as BatchGetItemCommandOutput), UnprocessedKeys: left }),
  };
}

function partialWrite(input: BatchWriteItemCommandInput, keeps: () => boolean): PartialCall {
  const taken: BatchWriteItemCommandInput['RequestItems'] = {};
  const left: BatchWriteItemCommandInput['RequestItems'] = {};
  for (const [table, writes] of Object.entries(input.RequestItems ?? {})) {
    const { yes = [], no = [] } = split(writes, keeps);
    if (yes.length > 0) taken[table] = yes;
    if (no.length > 0) left[table] = no;
  }
  return {
    input: isEmpty(taken) ? undefined : { ...input, RequestItems: taken },
    complete: (output) => ({ ...(output as BatchWriteItemCommandOutput), UnprocessedItems: left }),
  };
}

function partialSend(input: SendMessageBatchCommandInput, keeps: () => boolean): PartialCall {
  const { yes = [], no = [] } = split(input.Entries ?? [], keeps);
  const Failed = no.map(({ Id }) => ({
    Id,
    Code: 'InternalError',
    Message: 'of the soak',
    SenderFault: false,
  }));
  return {
    input: yes.length === 0 ? undefined : { ...input, Entries: yes },
    complete: (output) => ({ ...(output as SendMessageBatchCommandOutput), Failed }),
  };
}

function split<T>(elements: readonly T[], keeps: () => boolean): { yes?: T[]; no?: T[] } {
  return Object.groupBy(elements, () => (keeps() ? 'yes' : 'no'));
}

function isEmpty(byTable: object): boolean {
  return Object.keys(byTable).length === 0;
}
