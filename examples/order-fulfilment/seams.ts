import type { FaultRule, ProxiedCall } from 'sagabox/local';

/** A moment between two steps of one message, told by the call that begins or ends it. */
interface Seam {
  readonly name: string;
  readonly kill: FaultRule['kill'];
  readonly matches: (call: ProxiedCall) => boolean;
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
  { name: 'after the handler, before the commit', kill: 'beforeCall', matches: isCommit },
  { name: 'after the commit, before the dispatch', kill: 'afterCall', matches: isCommit },
  { name: 'in the middle of the dispatch', kill: 'afterCall', matches: isOneOfTwoSends, only: ordersAtFirst },
  { name: 'after the dispatch, before the mark', kill: 'beforeCall', matches: isMark },
  { name: 'after the mark, before the acknowledgement', kill: 'afterCall', matches: isMark },
];

const endpoints: readonly Endpoint[] = [
  { logicalIdPrefix: 'Orders', messagesPerOrder: 3 },
  { logicalIdPrefix: 'Billing', messagesPerOrder: 1 },
  { logicalIdPrefix: 'Shipping', messagesPerOrder: 1 },
];

const ordersPerCrash = 4;

/**
 * Crashes for a run: one for every four orders, at least one at each seam, spread evenly over seams, endpoints and the
 * time of the run.
 */
export function crashPlan(orders: number): FaultRule[] {
  const crashes = Math.max(seams.length, Math.ceil(orders / ordersPerCrash));
  const places = seams.length * endpoints.length;
  return Array.from({ length: Math.min(crashes, places) }, (_, place) => {
    const seam = seams[place % seams.length] as Seam;
    const { logicalIdPrefix, messagesPerOrder } =
      seam.only ?? (endpoints[place % endpoints.length] as Endpoint);
    const crashesHere = Math.floor(crashes / places) + (place < crashes % places ? 1 : 0);
    const calls = orders * messagesPerOrder;
    const offset = (place + 1) / (places + 1);
    return {
      name: seam.name,
      kill: seam.kill,
      matches: (call) => call.functionName.includes(`-${logicalIdPrefix}`) && seam.matches(call),
      atCalls: Array.from({ length: crashesHere }, (_, index) =>
        Math.max(1, Math.floor((calls * (index + offset)) / crashesHere)),
      ),
    };
  });
}

/** An update of the handlers' own goes as a transaction; alone, it marks a record, or takes a lease. */
const writes: readonly string[] = ['TransactWriteItems', 'PutItem', 'DeleteItem'];

function isCommit(call: ProxiedCall): boolean {
  return call.service === 'dynamodb' && writes.includes(call.operation);
}

function isOneOfTwoSends({ operation, request }: ProxiedCall): boolean {
  return operation === 'SendMessageBatch' && String(request.QueueUrl).includes('-Billing');
}

/** The outbox record, written as dispatched. */
function isMark({ operation, request }: ProxiedCall): boolean {
  const { PK: partitionKey } = (request.Key ?? {}) as { PK?: { S?: string } };
  return operation === 'UpdateItem' && (partitionKey?.S?.startsWith('OUTBOX#') ?? false);
}
