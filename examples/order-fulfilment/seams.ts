import type { FaultRule, ProxiedCall } from 'sagabox/local';

/** A moment between two steps of one message, told by the call that begins or ends it. */
interface Seam {
  readonly name: string;
  readonly kill: FaultRule['kill'];
  readonly matches: (call: ProxiedCall) => boolean;
  /** Messages of one batch may share such a call. */
  readonly isShared: boolean;
  /** Where it occurs, when not at every message of every endpoint. */
  readonly only?: Endpoint;
}

interface Endpoint {
  readonly logicalIdPrefix: string;
  /** Messages of one order that come by there. */
  readonly messagesPerOrder: number;
}

/** The first message of an order goes to two destinations: billing, and orders itself with a timeout. */
const ordersAtFirst: Endpoint = { logicalIdPrefix: 'Orders', messagesPerOrder: 1 };

export const seams: readonly Seam[] = [
  {
    name: 'after the handler, before the commit',
    kill: 'beforeCall',
    matches: isCommit,
    isShared: false,
  },
  {
    name: 'after the commit, before the dispatch',
    kill: 'afterCall',
    matches: isCommit,
    isShared: false,
  },
  {
    name: 'in the middle of the dispatch',
    kill: 'afterCall',
    matches: isOneOfTwoSends,
    isShared: true,
    only: ordersAtFirst,
  },
  { name: 'after the dispatch, before the mark', kill: 'beforeCall', matches: isMark, isShared: true },
  { name: 'after the mark, before the acknowledgement', kill: 'afterCall', matches: isMark, isShared: true },
];

const endpoints: readonly Endpoint[] = [
  { logicalIdPrefix: 'Orders', messagesPerOrder: 3 },
  { logicalIdPrefix: 'Billing', messagesPerOrder: 1 },
  { logicalIdPrefix: 'Shipping', messagesPerOrder: 1 },
];

const ordersPerCrash = 4;

/** As many as a function works on at a time. */
const messagesPerSharedCall = 10;

/**
 * Crashes for a run: one for every four orders, at least one at each seam, spread evenly over seams,
 * endpoints and the time of the run.
 */
export function crashPlan(orders: number): FaultRule[] {
  const crashes = Math.max(seams.length, Math.ceil(orders / ordersPerCrash));
  const places = seams.length * endpoints.length;
  return Array.from({ length: Math.min(crashes, places) }, (_, place) => {
    const seam = seams[place % seams.length] as Seam;
    const { logicalIdPrefix, messagesPerOrder } =
      seam.only ?? (endpoints[place % endpoints.length] as Endpoint);
    const crashesHere = Math.floor(crashes / places) + (place < crashes % places ? 1 : 0);
    const messages = orders * messagesPerOrder;
    const certainCalls = seam.isShared ? Math.ceil(messages / messagesPerSharedCall) : messages;
    const offset = (place + 1) / (places + 1);
    return {
      name: seam.name,
      kill: seam.kill,
      matches: (call) => call.functionName.includes(`-${logicalIdPrefix}`) && seam.matches(call),
      atCalls: Array.from({ length: crashesHere }, (_, index) =>
        Math.max(1, Math.floor((certainCalls * (index + offset)) / crashesHere)),
      ),
    };
  });
}

/** A batch of writes marks records, and is no commit. */
const writes: readonly string[] = ['TransactWriteItems', 'PutItem', 'DeleteItem'];

function isCommit(call: ProxiedCall): boolean {
  return call.service === 'dynamodb' && writes.includes(call.operation);
}

function isOneOfTwoSends({ operation, request }: ProxiedCall): boolean {
  return operation === 'SendMessageBatch' && String(request.QueueUrl).includes('-Billing');
}

/** Outbox records, written as dispatched; the same call without a put deletes the chunks of large ones. */
function isMark({ operation, request }: ProxiedCall): boolean {
  const writes = Object.values((request.RequestItems ?? {}) as Record<string, { PutRequest?: unknown }[]>);
  return operation === 'BatchWriteItem' && writes.flat().some(({ PutRequest: put }) => put !== undefined);
}
