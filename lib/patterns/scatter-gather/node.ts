import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { IncomingMessage } from '../../messages/message.ts';
import { firstReceivedAtOf } from '../../messages/record-fields.ts';
import type { SagaHandlerContext } from '../../saga/definition/saga-handler-context.ts';
import { type NodeAddress, parentOf, partOf, readRequestId, requestIdOf } from './address.ts';
import { awaited, hasArrived, noArrivals, withArrival } from './arrivals.ts';
import type { messageTypes, Part, Report, ScatterGatherResult } from './messages.ts';
import { heightOf, type Share, sharesOf } from './tree.ts';

/** One node of the tree. It sends requests, or splits them into parts; then it gathers what comes back. */
export interface NodeState extends Share, NodeAddress {
  /** That it began with: a later deployment may have another one. */
  readonly width: number;
  /** Of a root: where its result goes. */
  readonly resultTo?: string;
  /** Which parts have reported, or which requests were answered. */
  arrivals: Uint8Array;
  result: unknown;
  /** Of parts that have reported. */
  missing: readonly number[];
  isCancelled: boolean;
}

/** How results come together, whatever their types are. */
export interface GatherRules {
  readonly initial: () => unknown;
  readonly add: (result: unknown, reply: unknown, index: number) => unknown;
  readonly merge: (one: unknown, other: unknown) => unknown;
}

/** What the nodes know of their definition. */
export interface NodeRules {
  readonly name: string;
  readonly endpoint: string;
  readonly types: ReturnType<typeof messageTypes>;
  readonly request: { readonly destination: string; readonly type: string };
  readonly width: number;
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly gather: GatherRules;
}

export type NodeContext = SagaHandlerContext<NodeState>;

/** A node begins: it sends its requests, or one message to each of its parts. */
export function openNode(
  { endpoint, types, request, width, timeoutMs, graceMs, gather }: NodeRules,
  { id, run, path }: NodeAddress,
  { first, requests, ...root }: { first: number; requests: readonly object[]; resultTo?: string },
  { saga, send, requestTimeout }: NodeContext,
): void {
  const address = { id, run, path };
  const share = { first, count: requests.length };
  const shares = sharesOf(share, width);
  const arrivals = noArrivals(shares.length || share.count);
  saga.state = {
    ...address,
    ...share,
    ...root,
    width,
    arrivals,
    result: gather.initial(),
    missing: [],
    isCancelled: false,
  };
  // The parts of a node have reported by then: each of them has its own timeout before.
  const waitsMs = timeoutMs + heightOf(share.count, width) * graceMs;
  if (shares.length === 0) {
    for (const [at, body] of requests.entries()) {
      send(request.destination, request.type, { ...body, requestId: requestIdOf(address, first + at) });
    }
  }
  for (const [part, { first: start, count }] of shares.entries()) {
    const own = requests.slice(start - first, start - first + count);
    const sent: Part = { ...partOf(address, part), waitsMs, first: start, requests: own };
    send(endpoint, types.part, sent);
  }
  requestTimeout(types.timedOut, address, { after: { milliseconds: waitsMs } });
}

/** One that comes when its parent has ended, as out of an error queue, asks nobody: its report would find no one. */
export function openPart(
  rules: NodeRules,
  { id: messageId, body, sentAt, record }: IncomingMessage<string, Part>,
  context: NodeContext,
): void {
  const { saga, logger } = context;
  if (!saga.isNew) return;
  const { waitsMs, first, requests, ...address } = body;
  const receivedAt = firstReceivedAtOf(record) ?? sentAt;
  if (receivedAt.getTime() - sentAt.getTime() < waitsMs) {
    openNode(rules, address, { first, requests }, context);
    return;
  }
  logger.warn('A part comes when its scatter-gather has ended without it: its requests are not sent', {
    scatterGather: rules.name,
    messageId,
    id: address.id,
    requests: requests.length,
  });
  saga.complete();
}

/** @throws SagaboxError `ReplyNotAwaited` for a request that this node did not send */
export function takeReply(
  rules: NodeRules,
  { id: messageId, type, body }: IncomingMessage<string, { requestId: string }>,
  context: NodeContext,
): void {
  const { saga, logger } = context;
  const { state } = saga;
  const { requestId } = body;
  const { sender, index = Number.NaN } = readRequestId(requestId) ?? {};
  const at = index - state.first;
  const isOwn = sender?.run === state.run && !hasParts(state) && at >= 0 && at < state.count;
  if (!isOwn) {
    const facts = { name: rules.name, requestId, messageType: type };
    throw new SagaboxError('ReplyNotAwaited', facts);
  }
  if (hasArrived(state.arrivals, at)) {
    logger.warn('A request is answered a second time: the first reply counts', {
      scatterGather: rules.name,
      messageId,
      requestId,
    });
    return;
  }
  state.arrivals = withArrival(state.arrivals, at);
  state.result = rules.gather.add(state.result, body, index);
  endIfAllArrived(rules, context);
}

/** Of an earlier run under the same id, and of a part that has reported before, it changes nothing. */
export function takeReport(rules: NodeRules, report: Report, context: NodeContext): void {
  const { state } = context.saga;
  if (report.run !== state.run || hasArrived(state.arrivals, report.part)) return;
  state.arrivals = withArrival(state.arrivals, report.part);
  state.result = rules.gather.merge(state.result, report.result);
  state.missing = [...state.missing, ...report.missing];
  endIfAllArrived(rules, context);
}

/**
 * A node that sent requests ends with what has come; the others wait for what their parts have. A second one asks
 * again those that have not reported.
 */
export function cancelNode(rules: NodeRules, context: NodeContext): void {
  const { state } = context.saga;
  state.isCancelled = true;
  if (!hasParts(state)) endNode(rules, context);
  const parts = sharesOf(state, state.width).length;
  for (const part of awaited(state.arrivals, parts)) {
    context.send(rules.endpoint, rules.types.cancel, partOf(state, part));
  }
}

/** Reports to its parent, or tells the result, of what has arrived by now. */
export function endNode({ endpoint, types }: NodeRules, { saga, send }: NodeContext): void {
  const { state } = saga;
  const missing = missingOf(state);
  const { id, result } = state;
  const parent = parentOf(state);
  if (parent) {
    const report: Report = { ...parent.address, part: parent.part, result, missing };
    send(endpoint, types.report, report);
  } else {
    const early = state.isCancelled ? 'cancelled' : 'timedOut';
    const outcome = missing.length === 0 ? 'complete' : early;
    const gathered: ScatterGatherResult = { id, outcome, requests: state.count, missing, result };
    send(state.resultTo ?? endpoint, types.gathered, gathered);
  }
  saga.complete();
}

function endIfAllArrived(rules: NodeRules, context: NodeContext): void {
  const { state } = context.saga;
  const parts = sharesOf(state, state.width).length || state.count;
  if (awaited(state.arrivals, parts).length === 0) endNode(rules, context);
}

function hasParts({ count, width }: NodeState): boolean {
  return count > width;
}

function missingOf(state: NodeState): number[] {
  const shares = sharesOf(state, state.width);
  const unanswered =
    shares.length === 0
      ? awaited(state.arrivals, state.count).map((at) => state.first + at)
      : awaited(state.arrivals, shares.length).flatMap((part) => indexesOf(shares[part]));
  return [...state.missing, ...unanswered].toSorted((one, other) => one - other);
}

function indexesOf({ first, count }: Share = { first: 0, count: 0 }): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
