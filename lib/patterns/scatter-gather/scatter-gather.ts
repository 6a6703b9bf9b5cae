import type { StandardSchemaV1 } from '@standard-schema/spec';
import { anyValue, assertOptionKinds } from '../../kernel/checks/checks.ts';
import { type Duration, toMilliseconds } from '../../kernel/duration.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import { defineContract } from '../../messages/contracts/define-contract.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import type { SagaType } from '../../saga/definition/define-saga.ts';
import { assertExactId } from '../../sending/key-check.ts';
import {
  assertDefinition,
  type GatheredReply,
  type GatherFunctions,
  type ReplyBody,
  type ReplyTypes,
  type RequestBody,
  type RequestTypes,
  type ScatterGatherDefinition,
} from './definition.ts';
import { scatterGatherDefaults, scatterGatherLimits } from './limits.ts';
import {
  cancelSchema,
  gatheredSchema,
  messageTypes,
  type ScatterGatherResult,
  type ScatterGatherStart,
  startSchema,
} from './messages.ts';
import type { GatherRules, NodeRules, NodeState } from './node.ts';
import { nodeSaga } from './node-saga.ts';

/** The messages by which others start and cancel a scatter-gather, and the one that they get from it. */
export type ScatterGatherContract<Name extends string, Endpoint extends string, Request, Result> = Contract<
  Endpoint,
  { readonly [Type in `${Name}Start`]: StandardSchemaV1<ScatterGatherStart<Request>> } & {
    readonly [Type in `${Name}Cancel`]: StandardSchemaV1<{ id: string }>;
  },
  { readonly [Type in `${Name}Gathered`]: StandardSchemaV1<ScatterGatherResult<Result>> }
>;

/** The `send` of a handler, a session or a producer's like. */
interface Sends<Destination, Type, Body> {
  send(destination: Destination, type: Type, body: Body): void;
}

/** Made by {@link scatterGather}. */
export interface ScatterGather<Name extends string, Endpoint extends string, Request, Result> {
  /** For the handler of its endpoint: `createHandler([orderSaga, quotes.saga])`. */
  readonly saga: SagaType<MessageSchemas, NodeState>;
  /** For the `sends` of who starts it, and the `messages` of who gets the result: `...quotes.contract.replies`. */
  readonly contract: ScatterGatherContract<Name, Endpoint, Request, Result>;
  /**
   * Starts one, with the commit of the handler.
   *
   * @param context of a handler or session
   * @throws SagaboxError `ScatterGatherSize` for no requests, or over 10,000; `InvalidOutgoingMessage` as `send`, and
   *   for an id made of an integer of the message that JavaScript may have rounded
   */
  start(
    context: Sends<Endpoint, `${Name}Start`, ScatterGatherStart<Request>>,
    start: ScatterGatherStart<Request>,
  ): void;
  /** Ends one early, with what has arrived by then. One that has ended already is left alone. */
  cancel(context: Sends<Endpoint, `${Name}Cancel`, { id: string }>, id: string): void;
}

/**
 * Sends a request for each of many bodies, and gathers the replies to one result, in a tree of sagas of which
 * each one meets few messages.
 *
 * @throws SagaboxError `Configuration` for a setting that is wrong or does not exist
 * @example
 * ```ts
 * import { createHandler, defineContract, defineSaga, scatterGather } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const suppliers = defineContract(
 *   'suppliers',
 *   { RequestQuote: v.object({ requestId: v.string(), supplier: v.string() }) },
 *   { replies: { QuoteGiven: v.object({ requestId: v.string(), cents: v.number() }) } },
 * );
 *
 * const quotes = scatterGather({
 *   name: 'Quotes',
 *   endpoint: 'shop',
 *   asks: suppliers,
 *   request: 'RequestQuote',
 *   reply: 'QuoteGiven',
 *   timeout: { minutes: 5 },
 *   gather: {
 *     initial: () => ({ cents: Number.MAX_SAFE_INTEGER }),
 *     add: (best, { cents }) => ({ cents: Math.min(best.cents, cents) }),
 *     merge: (one, other) => ({ cents: Math.min(one.cents, other.cents) }),
 *   },
 * });
 *
 * const purchase = defineSaga({
 *   name: 'Purchase',
 *   messages: { PurchaseRequested: v.object({ id: v.string() }), ...quotes.contract.replies },
 *   sends: [quotes.contract],
 *   correlate: { PurchaseRequested: ({ id }) => id, QuotesGathered: ({ id }) => id },
 *   startedBy: ['PurchaseRequested'],
 *   initialState: () => ({ cents: 0 }),
 *   handlers: {
 *     PurchaseRequested({ body: { id } }, context) {
 *       quotes.start(context, { id, requests: [{ supplier: 'north' }, { supplier: 'south' }] });
 *     },
 *     QuotesGathered({ body: { result } }, { saga }) {
 *       saga.state.cents = result.cents;
 *     },
 *   },
 * });
 *
 * export const handler = createHandler([purchase, quotes.saga]);
 * ```
 */
export function scatterGather<
  const Name extends string,
  const Endpoint extends string,
  C extends Contract,
  const Request extends RequestTypes<C>,
  const Reply extends ReplyTypes<C>,
  Result = GatheredReply<ReplyBody<C, Reply>>[],
>(
  definition: ScatterGatherDefinition<Name, Endpoint, C, Request, Reply, Result>,
): ScatterGather<Name, Endpoint, RequestBody<C, Request>, Result> {
  assertDefinition(definition);
  const { name, endpoint, asks, request, reply, resultTo, outbox, coalesce } = definition;
  const rules = rulesOf(definition);
  const { types } = rules;
  const requestSchema = schemaOf(asks.messages, request);
  const contract = defineContract(
    endpoint,
    { [types.start]: startSchema(requestSchema, rules.width), [types.cancel]: cancelSchema },
    { replies: { [types.gathered]: gatheredSchema } },
  );
  const replySchema = schemaOf(asks.replies, reply);
  const settings = { requestSchema, reply: { type: reply, schema: replySchema }, resultTo, outbox, coalesce };
  return {
    // Its requests are checked as a whole when it starts, and its result may go to any endpoint: nothing else is left
    // for `sends` to check, but others are to know what it sends.
    saga: {
      ...nodeSaga(rules, settings),
      hasOwnState: true,
      contracts: { sends: [asks], replies: [contract] },
    },
    contract: contract as unknown as ScatterGatherContract<Name, Endpoint, RequestBody<C, Request>, Result>,
    start(context, given) {
      assertOptionKinds(`start of scatterGather '${name}'`, given, startChecks, { page });
      const { id, requests } = given;
      const { maxRequests } = scatterGatherLimits;
      if (requests.length === 0 || requests.length > maxRequests) {
        const facts = { name, id, requests: requests.length, maxRequests };
        throw new SagaboxError('ScatterGatherSize', facts);
      }
      assertExactId(context, id, { type: types.start, destination: endpoint });
      context.send(endpoint, `${name}Start`, { id, requests });
    },
    cancel(context, id) {
      assertExactId(context, id, { type: types.cancel, destination: endpoint });
      context.send(endpoint, `${name}Cancel`, { id });
    },
  };
}

const page = 'docs/guide/scatter-gather.md';

/** Their values are those of a message, whose schema checks them. */
const startChecks = { id: anyValue, requests: anyValue } satisfies Record<keyof ScatterGatherStart, unknown>;

function rulesOf<Reply, Result>(definition: {
  readonly name: string;
  readonly endpoint: string;
  readonly asks: Contract;
  readonly request: string;
  readonly timeout: Duration;
  readonly width?: number;
  readonly grace?: Duration;
  readonly gather?: GatherFunctions<Reply, Result>;
}): NodeRules {
  const { name, endpoint, asks, request, timeout, gather } = definition;
  const { width = scatterGatherDefaults.width, grace = scatterGatherDefaults.grace } = definition;
  return {
    name,
    endpoint,
    types: messageTypes(name),
    request: { destination: asks.name, type: request },
    width,
    timeoutMs: toMilliseconds(timeout),
    graceMs: toMilliseconds(grace),
    gather: (gather as GatherRules | undefined) ?? allReplies,
  };
}

function schemaOf(schemas: MessageSchemas, type: string): MessageSchemas[string] {
  return schemas[type] as MessageSchemas[string];
}

/** By index, so that the order of their arrival does not matter. */
const allReplies: GatherRules = {
  initial: () => [],
  add: (replies, body, index) => byIndex([...(replies as GatheredReply[]), { index, body }]),
  merge: (one, other) => byIndex([...(one as GatheredReply[]), ...(other as GatheredReply[])]),
};

function byIndex(replies: readonly GatheredReply[]): GatheredReply[] {
  return replies.toSorted((one, other) => one.index - other.index);
}
