import type { ErrorCode, ErrorFacts } from '../../../lib/kernel/errors/errors.ts';

const saga = { sagaName: 'OrderSaga', sagaId: '42' };
const record = { endpoint: 'orders', messageId: 'in-1' };
const message = { messageId: 'in-1', messageType: 'OrderPlaced' };

/** Of each code: facts, and how its message ends: with the remedy, or with what became of the message. */
export const errorSamples: { [C in ErrorCode]: [facts: ErrorFacts[C], remedy: RegExp] } = {
  SagaConcurrency: [{ ...saga, operation: 'update' }, /updated by another process or no longer exists/],
  LockTimeout: [
    { ...saga, attempts: 7, waitedMs: 10_000 },
    /7 attempts in 10000 ms.*Raise leaseAcquisitionTimeout/,
  ],
  DuplicateMessage: [record, /takes up its outbox record/],
  MessageIdReused: [{ ...record, messageType: 'OrderPlaced' }, /Give every message an id of its own/],
  HandledAgain: [
    { messageId: 'm1', reason: 'its group was refused' },
    /is handled again: its group was refused/,
  ],
  IncompleteOutboxRecord: [
    { ...record, detail: 'chunk 2 is missing' },
    /read again when the message is retried/,
  ],
  TransactionConflict: [{ item: "the 'OrderSaga' saga" }, /Nothing was written/],
  TableCallFailed: [
    { operation: 'PutItem', tableNames: ['sagas', 'outbox'], detail: 'TimeoutError: socket hang up' },
    /it is tried again/,
  ],
  Throttled: [{ operation: 'PutItem', reason: 'ThrottlingError' }, /raise the table's capacity/],
  ClaimCheckNotFound: [
    { messageId: 'in-1', key: 'claims/a', detail: 'NoSuchKey' },
    /lifecycle rule remove it/,
  ],
  SettingsNotLoaded: [{ path: '/sagabox/Shop/Orders', detail: 'timeout' }, /ssm:GetParameters on it/],
  ClaimCheckFailed: [{ operation: 'PutObject', detail: 'SlowDown' }, /it is tried again/],
  InvalidTransactionItem: [{ index: 3, detail: 'its Put names no table' }, /names no table/],
  DispatchRefused: [
    { destination: 'billing', failures: ['in-1: AccessDenied', 'in-2: AccessDenied'] },
    /is kept\. Correct the destination/,
  ],
  TransactionConditionFailed: [{ index: 3, tableName: 'charges' }, /Nothing was written/],
  RequestRejected: [{ detail: 'two writes of one item' }, /DynamoDB refuses/],
  TransactionLimit: [
    { limit: 'writes', actual: 101, maximum: 100, remedy: 'add fewer items' },
    /add fewer items/,
  ],
  ItemTooLarge: [
    { item: "The 'OrderSaga' saga", bytes: 401_409, maximum: 401_408 },
    /401409 bytes, over its maximum of 401408: keep large data elsewhere/,
  ],
  CompensationFailed: [
    { ...saga, step: 'flight', command: 'CancelFlight', attempt: 2, reason: 'timedOut' },
    /failed \(timedOut, attempt 2\).*sagabox redrive: the saga sends the command again/,
  ],
  InvalidSagaStore: [
    { sagaName: 'Order', sagaId: '42', detail: 'writesOf did not return an array' },
    /sagaStore .*'Order' saga with id '42': writesOf did not return an array\. Nothing is committed/,
  ],
  InvalidContribution: [
    { ...saga, key: 'votes', detail: 'it is collected twice: collect it once' },
    /^What is appended or collected under 'votes' of the 'OrderSaga' saga.*: collect it once/,
  ],
  AppendOnly: [saga, /nothing is committed. Take the type out of 'appendedBy'/],
  InvalidSagaState: [
    { ...saga, stateVersion: 2, operation: 'read', issues: ['total: expected a number'] },
    /version 2.*total: expected a number.*Correct the schema, or migrate/,
  ],
  UnknownStateVersion: [
    { ...saga, stateVersion: 3, oldest: 1, newest: 2 },
    /version 3, .*versions 1 to 2.*kept as it is\. Deploy the code that wrote it/,
  ],
  UnsupportedState: [
    { ...saga, detail: 'state.at is a Date: store an ISO 8601 string' },
    /^The state of the 'OrderSaga' saga with id '42' cannot be stored: state\.at is a Date: store an ISO 8601 string\.$/,
  ],
  UnreadableItem: [
    { item: "The 'OrderSaga' saga", detail: 'schemaVersion is 4' },
    /kept as it is\. Deploy the release that wrote it, or a later one/,
  ],
  InvalidMessage: [{ ...message, issues: ['total: not a number', 'no id'] }, /total: not a number; no id/],
  UnknownMessageType: [{ ...message, knownTypes: ['A', 'B'] }, /or add a handler/],
  CorrelationMissing: [{ ...message, sagaName: 'OrderSaga' }, /must return a string or number/],
  CorrelationRounded: [
    { ...message, sagaName: 'OrderSaga', path: 'body.orderId', written: '9007199254740993' },
    /made of body\.orderId, 9007199254740993, which .*have its sender write it as a string\.$/,
  ],
  InvalidEvent: [{ detail: 'The event holds no SQS records' }, /by an event source mapping/],
  InvalidOutgoingMessage: [{ messageType: 'A', destination: 'billing', detail: 'too large' }, /too large/],
  IdempotencyKeyMissing: [{}, /the same one when you repeat the request/],
  InvalidIdempotencyKey: [{ detail: 'it is empty' }, /Send a string that is not empty/],
  IdempotencyKeyReused: [{}, /send a new key/],
  RequestInProgress: [{ waitedMs: 10_000 }, /repeat it a little later/],
  ResponseNotStorable: [{ detail: 'its body is a stream: return a string' }, /return a string.*Nothing was/],
  ResponseNotCommitted: [{ statusCode: 503 }, /Set 'commitsStatus'/],
  MessagesNotSent: [
    {
      destination: 'orders',
      sent: 1,
      entries: Array.from({ length: 12 }, (_, index) => ({
        index,
        id: `m${index}`,
        reason: 'InternalError: Sorry',
        retryable: true,
      })),
    },
    /12 of 13 messages .*\(entry 0, 'm0': InternalError: Sorry; .*entry 9, .*; and 2 more\): send those/,
  ],
  MessagesRefused: [
    {
      destination: 'orders',
      sent: 0,
      entries: [{ index: 0, id: 'm0', reason: 'QueueDoesNotExist', retryable: false }],
    },
    /1 of 1 messages .*\(entry 0, 'm0': QueueDoesNotExist\): they are refused.*Correct the messages/,
  ],
  DispatchFailed: [
    { destination: 'billing', failures: ['in-1: InternalError', 'in-2: InternalError'] },
    /sent when the message is retried/,
  ],
  OtherSagaForm: [
    {
      sagaName: 'OrderSaga',
      sagaId: '42',
      stored: 'records',
      expected: 'embedded',
      takenFrom: '2026-11-30T00:00:00.000Z',
    },
    /not before 2026-11-30/,
  ],
  SagaOfOtherEndpoint: [
    { sagaName: 'OrderSaga', sagaId: '42', owner: 'orders', endpoint: 'billing' },
    /Handle all messages of the saga at 'orders'/,
  ],
  ScatterGatherSize: [
    { name: 'Quotes', id: '42', requests: 10_001, maxRequests: 10_000 },
    /takes 1 to 10000: start several with ids of their own/,
  ],
  ProcessRunning: [
    { sagaName: 'TripSaga', sagaId: '7', messageType: 'TripRequested' },
    /give each request a correlation value of its own/,
  ],
  ScatterGatherRunning: [{ name: 'Quotes', id: '42' }, /give each one an id of its own/],
  ReplyNotAwaited: [
    { name: 'Quotes', requestId: 'r', messageType: 'QuoteGiven' },
    /Reply with the 'requestId' of the request/,
  ],
  CommitSkipped: [{ messageId: 'in-1' }, /Let it change 'request.response'/],
  HandlerReturned: [{ ...saga, member: 'saga.state' }, /await every promise in it/],
  BatchFailed: [{ failed: 3, failures: ['TypeError'] }, /Set throwOnFullBatchFailure to false/],
  InvocationTimeout: [{ messageId: 'in-1', remainingTimeMs: 480 }, /a longer timeout or smaller batches/],
  ForwardFailed: [
    { messageId: 'in-1', detail: 'it is too large' },
    /moves it to the dead letter queue in the end/,
  ],
  MessageFailed: [
    { endpoint: 'billing', messageId: 'm1', messageType: 'ChargeCard', receiveCount: 5, detail: 'no card' },
    /Correct its handler/,
  ],
  ImmediateSendFailed: [{ messageId: 'm1', detail: 'SQS is away' }, /Await it/],
  NeverQuiet: [{ maxDeliveries: 1000, messages: ["'Ping' at 'a' (500 times)"] }, /raise maxDeliveries/],
  RelayFailed: [
    { endpoint: 'orders', failed: 2, failures: ['m1: gone', 'm2: away'] },
    /later run tries them again/,
  ],
  StreamNotRead: [
    { table: 'outbox', problem: 'the stream of the table is off' },
    /read the stream again within 24 hours, else run sagabox relay --strategy scan once/,
  ],
  ScanDue: [
    { table: 'outbox', endpoints: ['orders'], reason: 'it was off', since: '2026-01-02T03:04:05.678Z' },
    /Run sagabox relay --strategy scan once for orders/,
  ],
  TableAccessRefused: [
    {
      operation: 'PutItem',
      tableNames: ['sagas', 'outbox'],
      detail: 'AccessDeniedException: not authorized',
    },
    /grant it to the function's role/,
  ],
  TableNotFound: [{ tableNames: ['sagas', 'outbox'] }, /deploy it, or correct the table name/],
  Configuration: [{ setting: 'endpoint', problem: 'it is not set', remedy: 'Set it' }, /Set it/],
  UnknownHttpEvent: [{ path: 'event.headers' }, /proxy integration/],
  Unrecoverable: [{ detail: 'the card was stolen' }, /the card was stolen/],
};
