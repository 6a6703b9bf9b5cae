import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../../messages/contracts/json-schema.ts';
import { headerNames } from '../../messages/headers.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import { ComponentSchemas } from './component-schemas.ts';
import type { ContractUse } from './contract-uses.ts';
import { headersSchema } from './headers-schema.ts';
import { reference } from './json-pointer.ts';
import type { PayloadSchemas } from './payload-schemas.ts';

/** Undefined for a schema that has no JSON Schema. */
type PayloadOf = (channel: string, type: string, schema: StandardSchemaV1) => JsonSchema | undefined;

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
}

/**
 * A document in AsyncAPI 3.0, with a channel for each contract, and one for its replies. Operations are those
 * of what was loaded, as one application; contracts alone are received. Source: "AsyncAPI Specification 3.0.0".
 */
export function asyncApiDocument(
  info: ApiInfo,
  uses: readonly ContractUse[],
  payloads: PayloadSchemas,
): object {
  const components = new ComponentSchemas({ SagaboxHeaders: headersSchema });
  const payloadOf = (channel: string, type: string, schema: StandardSchemaV1) => {
    const payload = payloads.of(`${channel}: ${type}`, schema);
    return payload && components.moved(`${channel}.${type}`, payload);
  };
  const hasDefinitions = uses.some((use) => use.sentBy.length > 0 || takenTypes(use).length > 0);
  return {
    asyncapi: '3.0.0',
    info,
    defaultContentType: 'application/json',
    channels: Object.assign({}, ...uses.map((use) => channelsOf(use, payloadOf))),
    operations: Object.assign({}, ...uses.map((use) => operationsOf(use, hasDefinitions))),
    components: { schemas: components.schemas },
  };
}

function channelsOf({ name, messages, replies }: ContractUse, payloadOf: PayloadOf): object {
  const channel = { address: name, messages: messagesOf(name, messages, payloadOf) };
  if (Object.keys(replies).length === 0) return { [name]: channel };
  const replyName = replyChannel(name);
  // Their address is known by each request only.
  return {
    [name]: channel,
    [replyName]: { address: null, messages: messagesOf(replyName, replies, payloadOf) },
  };
}

function operationsOf(use: ContractUse, hasDefinitions: boolean): object {
  const { name, sentBy } = use;
  const types = Object.keys(use.messages);
  const received = hasDefinitions ? takenTypes(use) : types;
  return {
    ...(received.length > 0 && { [`${name}.receive`]: operation('receive', use, received) }),
    ...(sentBy.length > 0 && { [`${name}.send`]: operation('send', use, types) }),
  };
}

function takenTypes({ takenBy }: ContractUse): string[] {
  return [...takenBy].flatMap(([type, receivers]) => (receivers.length > 0 ? [type] : []));
}

function replyChannel(name: string): string {
  return `${name}.replies`;
}

function messagesOf(channel: string, schemas: MessageSchemas, payloadOf: PayloadOf): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => {
      const payload = payloadOf(channel, type, schema);
      return [
        type,
        {
          name: type,
          title: type,
          headers: {
            allOf: [
              { $ref: reference('components', 'schemas', 'SagaboxHeaders') },
              { properties: { [headerNames.messageType]: { const: type } } },
            ],
          },
          correlationId: { location: `$message.header#/${headerNames.conversationId}` },
          ...(payload && { payload }),
        },
      ];
    }),
  );
}

function operation(
  action: 'send' | 'receive',
  { name, replies }: ContractUse,
  types: readonly string[],
): object {
  const replyTypes = Object.keys(replies);
  return {
    action,
    channel: { $ref: reference('channels', name) },
    messages: messageReferences(name, types),
    ...(replyTypes.length > 0 && {
      reply: {
        address: { location: `$message.header#/${headerNames.replyTo}` },
        channel: { $ref: reference('channels', replyChannel(name)) },
        messages: messageReferences(replyChannel(name), replyTypes),
      },
    }),
  };
}

function messageReferences(channel: string, types: readonly string[]): object[] {
  return types.map((type) => ({ $ref: reference('channels', channel, 'messages', type) }));
}
