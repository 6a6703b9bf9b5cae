/** What may happen to a call, before it reaches the service or after. */
export type FaultKind =
  | 'throttled'
  | 'failedBefore'
  | 'failedAfter'
  | 'timedOutBefore'
  | 'answerLost'
  | 'appliedLate'
  | 'conflict'
  | 'partial'
  | 'staleRead';

/** Each fault in how many of a million of the calls, or runs of handlers, that it can meet. */
export interface FaultRates {
  /** Of the requests: the SDK sends most of them again by itself. */
  readonly request: number;
  /** Of the calls, all retries of the SDK included: nobody but sagabox makes up for these. */
  readonly call: number;
  /** Of the requests: the process dies there. */
  readonly death: number;
  /** Of the runs of handlers: they fail by themselves. */
  readonly handler: number;
}

export const perMillion = 1_000_000;

const dynamoDBWrites: readonly string[] = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];
const batches: readonly string[] = [
  'BatchGetItem',
  'BatchWriteItem',
  'BatchExecuteStatement',
  'SendMessageBatch',
];
const always: readonly FaultKind[] = [
  'throttled',
  'failedBefore',
  'failedAfter',
  'timedOutBefore',
  'answerLost',
];

/** What only some calls can meet, and only as a whole, would be met too seldom. */
function oftener(kind: FaultKind): FaultKind[] {
  return [kind, kind, kind, kind];
}

/**
 * Named several times is as many times as likely.
 *
 * @param isCall a call as a whole; a single request is signed and sealed, and can only be withheld or its
 *   answer be lost
 */
export function faultsOf(operation: string, isCall: boolean): readonly FaultKind[] {
  const isWrite = dynamoDBWrites.includes(operation);
  return [
    ...always,
    // Not of what has no condition: DynamoDB itself would take such a write over a newer one.
    ...(isWrite ? (['conflict', 'appliedLate'] as const) : []),
    // A conflict is told of its statements, one by one.
    ...(operation === 'BatchExecuteStatement' ? (['appliedLate'] as const) : []),
    ...(isCall && batches.includes(operation) ? oftener('partial') : []),
    ...(isCall && operation === 'BatchGetItem' ? oftener('staleRead') : []),
  ];
}
