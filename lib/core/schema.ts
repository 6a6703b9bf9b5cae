import type { StandardSchemaV1 } from '@standard-schema/spec';
import { SagaboxError } from './errors.ts';
import type { IncomingMessage } from './message.ts';

/** A Standard Schema for each message type: zod, valibot, arktype and others make them. */
export type MessageSchemas = Readonly<Record<string, StandardSchemaV1>>;

export type BodyOf<Schema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Schema>;

/** One message of each type in `Schemas`; `type` tells them apart. */
export type MessageOf<Schemas extends MessageSchemas> = {
  [Type in keyof Schemas & string]: IncomingMessage<Type, BodyOf<Schemas[Type]>>;
}[keyof Schemas & string];

/**
 * The message with the body that its schema returns (defaults filled in, values transformed).
 *
 * @throws SagaboxError `UnknownMessageType` when no schema has the message's type, `InvalidMessage` with every issue
 *   that its schema found.
 */
export async function validateMessage(
  message: IncomingMessage,
  schemas: MessageSchemas,
): Promise<IncomingMessage> {
  const schema = Object.hasOwn(schemas, message.type) ? schemas[message.type] : undefined;
  if (schema === undefined) {
    throw new SagaboxError('UnknownMessageType', {
      messageId: message.id,
      messageType: message.type,
      knownTypes: Object.keys(schemas),
    });
  }
  const result = await schema['~standard'].validate(message.body);
  if (result.issues !== undefined) {
    throw new SagaboxError('InvalidMessage', {
      messageId: message.id,
      messageType: message.type,
      issues: result.issues.map(describeIssue),
    });
  }
  return { ...message, body: result.value };
}

function describeIssue(issue: StandardSchemaV1.Issue): string {
  const path = issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return path ? `${path}: ${issue.message}` : issue.message;
}
