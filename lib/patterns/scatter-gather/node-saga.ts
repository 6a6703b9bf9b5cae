import type { StandardSchemaV1 } from '@standard-schema/spec';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { headerNames } from '../../messages/headers.ts';
import type { IncomingMessage } from '../../messages/message.ts';
import { derivedId } from '../../messages/message-id.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import { defineSaga, type SagaType } from '../../saga/definition/define-saga.ts';
import type { EmbeddedOutbox } from '../../saga/definition/outbox-form.ts';
import { nodeId, readRequestId } from './address.ts';
import type { RequestId } from './definition.ts';
import {
  cancelSchema,
  partSchema,
  reportSchema,
  type ScatterGatherStart,
  startSchema,
  timedOutSchema,
} from './messages.ts';
import {
  cancelNode,
  endNode,
  type NodeContext,
  type NodeRules,
  type NodeState,
  openNode,
  openPart,
  takeReply,
  takeReport,
} from './node.ts';

interface NodeSagaSettings {
  readonly requestSchema: MessageSchemas[string];
  readonly reply: { readonly type: string; readonly schema: MessageSchemas[string] };
  readonly resultTo?: string | undefined;
  readonly outbox?: EmbeddedOutbox | undefined;
  readonly coalesce?: boolean | undefined;
}

/** One message of the saga: its names are known at run time only, and so are its types. */
interface NodeMessage<Body> {
  readonly schema: StandardSchemaV1<unknown, Body>;
  readonly correlate: (body: Body) => string;
  readonly handle: (message: IncomingMessage<string, Body>, context: NodeContext) => void;
}

/** Root and parts are instances of one saga. */
export function nodeSaga(rules: NodeRules, settings: NodeSagaSettings): SagaType<MessageSchemas, NodeState> {
  const { outbox, coalesce } = settings;
  const { name, types } = rules;
  const all = nodeMessages(rules, settings);
  return defineSaga({
    name,
    messages: mapValues(all, ({ schema }) => schema),
    correlate: mapValues(all, ({ correlate }) => correlate),
    startedBy: [types.start, types.part],
    // Its first handler sets the state as a whole.
    initialState: () => ({}) as NodeState,
    handlers: mapValues(all, ({ handle }) => handle),
    ...(outbox && { outbox }),
    ...(coalesce !== undefined && { coalesce }),
  });
}

function nodeMessages(
  rules: NodeRules,
  { requestSchema, reply, resultTo }: NodeSagaSettings,
): Record<string, NodeMessage<unknown>> {
  const { name, types } = rules;
  return {
    [types.start]: nodeMessage({
      schema: startSchema(requestSchema, rules.width),
      correlate: ({ id }) => id,
      handle({ id: messageId, body: { id, requests }, headers }, context) {
        if (!context.saga.isNew) throw new SagaboxError('ScatterGatherRunning', { name, id });
        const starter = resultTo ?? headers[headerNames.replyTo];
        const address = { id, run: derivedId(messageId), path: '' };
        const opened = { first: 0, requests: requests as ScatterGatherStart<object>['requests'] };
        openNode(rules, address, { ...opened, ...(starter && { resultTo: starter }) }, context);
      },
    }),
    [types.part]: nodeMessage({
      schema: partSchema,
      correlate: nodeId,
      handle: (message, context) => openPart(rules, message, context),
    }),
    [reply.type]: nodeMessage({
      schema: reply.schema as StandardSchemaV1<unknown, RequestId>,
      correlate: (body) => senderOf(body, name, reply.type),
      handle: (message, context) => takeReply(rules, message, context),
    }),
    [types.report]: nodeMessage({
      schema: reportSchema,
      correlate: nodeId,
      handle: ({ body }, context) => takeReport(rules, body, context),
    }),
    [types.cancel]: nodeMessage({
      schema: cancelSchema,
      correlate: ({ id, run, path = '' }) => (run === undefined ? id : nodeId({ id, run, path })),
      handle: (_message, context) => cancelNode(rules, context),
    }),
    [types.timedOut]: nodeMessage({
      schema: timedOutSchema,
      correlate: nodeId,
      handle: (_message, context) => endNode(rules, context),
    }),
  };
}

/** Each handler gets the bodies of its own schema only. */
function nodeMessage<Body>(message: NodeMessage<Body>): NodeMessage<unknown> {
  return message as unknown as NodeMessage<unknown>;
}

/** @throws SagaboxError `ReplyNotAwaited` for a reply to no request of ours */
function senderOf({ requestId }: RequestId, name: string, messageType: string): string {
  const sender = readRequestId(requestId)?.sender;
  if (sender === undefined) throw new SagaboxError('ReplyNotAwaited', { name, requestId, messageType });
  return nodeId(sender);
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
