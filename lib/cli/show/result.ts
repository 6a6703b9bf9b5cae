import { textTable } from '../../charts/text-table.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { formatBytes, formatUnits } from '../plan/format.ts';
import { leaseText } from '../stored/saga-summary.ts';
import type { ShownAppended } from './appended.ts';
import type { FoundSaga, ShownSaga } from './read-saga.ts';
import type { ShownRecord, ShownRecords } from './records.ts';

export interface ShowResult {
  readonly identity: SagaIdentity;
  readonly found: FoundSaga;
  readonly records: ShownRecords | undefined;
  readonly appended: ShownAppended | undefined;
  readonly readUnits: number;
}

export function objectOf({ identity, found, records, appended, readUnits }: ShowResult): object {
  const { name, id } = identity;
  const { saga, lock, ended } = found;
  return {
    saga: name,
    id,
    found: saga !== undefined,
    ...saga,
    lock,
    ended,
    ...(records && { records: recordsObject(records) }),
    ...(appended && { appended: appendedObject(appended) }),
    capacity: { readUnits },
    problem: problemOf(name, id, found),
  };
}

function recordsObject({ failures, readUnits: _units, ...others }: ShownRecords): object {
  return {
    ...others,
    failures: failures.map(({ messageId, code, message }) => ({ messageId, code, problem: message })),
  };
}

function appendedObject({ readUnits: _units, ...shown }: ShownAppended): object {
  return shown;
}

export function linesOf(result: ShowResult): string[] {
  const { identity, found, records, appended, readUnits } = result;
  const problem = problemOf(identity.name, identity.id, found);
  return [
    ...(found.saga ? sagaLines(identity, found.saga) : []),
    ...(problem === undefined ? [] : [problem]),
    ...(records ? ['', ...recordLines(records)] : []),
    ...(appended ? ['', ...appendedLines(appended)] : []),
    '',
    `${formatUnits(readUnits)} RCU`,
  ];
}

const moreMayBeThere = '; there may be more: raise --max-total-read-units';

/** Why no saga is shown, or not all of it. */
export function problemOf(name: string, id: string, { saga, lock, ended }: FoundSaga): string | undefined {
  if (saga?.problem) return `${saga.problem.code}: ${saga.problem.message}`;
  if (saga) return undefined;
  const missing = `There is no '${name}' saga with id '${id}'`;
  if (ended) {
    const { handledMessages, pending, expiresAt } = ended;
    const known = `its item remembers ${handledMessages} handled or discarded message${handledMessages === 1 ? '' : 's'}`;
    const left = pending.length > 0 ? `, and has messages of ${pending.length} of them to send` : '';
    return `${missing}: it has completed, or has never started; ${known}${expiresAt ? ` until ${expiresAt}` : ''}${left}`;
  }
  return lock
    ? `${missing}: its item is a lock for a message that may start it, held ${leaseText(lock)}`
    : `${missing}: it has not started, or has completed. Names and ids are case sensitive`;
}

function sagaLines({ name, id }: SagaIdentity, saga: ShownSaga): string[] {
  const { version, stateVersion, createdAt = '', updatedAt = '', lease, timeouts, itemBytes } = saga;
  const size = `${formatBytes(itemBytes)}${saga.isCompressed ? ', its state compressed' : ''}`;
  const rows = [
    ['saga', `${name} ${id}`],
    ['version', `${version}${stateVersion === 1 ? '' : `, its state in version ${stateVersion}`}`],
    ['created', createdAt],
    ['updated', updatedAt],
    ['item', size],
    ['lease', lease ? leaseText(lease) : 'none'],
    ...embeddedRows(saga),
    ...(timeouts.length === 0 ? [['timeouts', 'none']] : []),
    ...timeouts.map((timeout, index) => [
      index === 0 ? 'timeouts' : '',
      `${timeout.type} ${timeout.id}${timeout.scheduled ? ', in a schedule' : ', in the queue'}`,
    ]),
  ];
  const state = saga.problem ? [] : ['state', ...JSON.stringify(saga.state, null, 2).split('\n')];
  return [...textTable(rows, ['left', 'left']), ...state];
}

function embeddedRows({ embedded }: ShownSaga): string[][] {
  if (embedded === undefined) return [];
  const { endpoint, handledMessages, pending, isOverflowed, changeover } = embedded;
  const full = isOverflowed ? '; it is full, and further messages have records' : '';
  return [
    ['outbox', `embedded${changeover === undefined ? '' : ', with records'}, of the endpoint '${endpoint}'`],
    ['inbox', `${handledMessages} messages${full}`],
    ...(pending.length === 0 ? [['pending', 'none']] : []),
    ...pending.map(({ messageId, storedAt }, index) => [
      index === 0 ? 'pending' : '',
      `what ${messageId} sends, since ${storedAt}`,
    ]),
  ];
}

function recordLines({ which, endpoint, records, failures, complete }: ShownRecords): string[] {
  const rows = records.map((record) => [
    record.ofSaga ? '*' : '',
    record.messageId,
    record.storedAt,
    statusOf(record),
  ]);
  const own = records.filter(({ ofSaga }) => ofSaga).length;
  return [
    `${which} records of the endpoint '${endpoint}': ${records.length}, of this saga (*): ${own}` +
      (complete ? '' : moreMayBeThere),
    ...textTable(rows, ['left', 'left', 'left', 'left']),
    ...failures.map(({ messageId, message }) => `${messageId}: ${message}`),
  ];
}

function appendedLines({ key, values, bytes, complete }: ShownAppended): string[] {
  return [
    `${values.length} appended under '${key}', ${formatBytes(bytes)}, not collected yet${complete ? '' : moreMayBeThere}`,
    ...values.map((value) => JSON.stringify(value)),
  ];
}

function statusOf({ operations, destinations, dispatchedAt, leased }: ShownRecord): string {
  if (destinations === undefined) return `${operations} dispatched${dispatchedAt ? `, ${dispatchedAt}` : ''}`;
  const held = leased ? `  (${leased.reason} until ${leased.until})` : '';
  return `${operations} to send -> ${destinations.join(', ')}${held}`;
}
