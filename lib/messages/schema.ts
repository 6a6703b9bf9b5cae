import type { StandardSchemaV1 } from '@standard-schema/spec';
import { cutToBytes } from '../kernel/errors/cut-to-bytes.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { isSecretName, MASK } from '../kernel/errors/secrets.ts';
import type { IncomingMessage } from './message.ts';
import { ownParts } from './own-parts.ts';

/** A message of 1 MiB can have half a million of them, many times its own size in each line of the log. */
const MAX_ISSUES = 100;
const MAX_ISSUE_BYTES = 1024;

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
 * @throws SagaboxError `UnknownMessageType`, or `InvalidMessage` with up to 100 issues and the number of
 *   others
 */
export async function validateMessage(
  message: IncomingMessage,
  schemas: MessageSchemas,
): Promise<IncomingMessage> {
  const validation = forTypeOf(message, schemas)['~standard'].validate(message.body);
  const result = 'then' in validation ? await validation : validation;
  if (result.issues === undefined) return { ...message, body: ownParts(result.value) };
  throw new SagaboxError('InvalidMessage', {
    messageId: message.id,
    messageType: message.type,
    issues: issuesOf(result),
  });
}

/** @throws SagaboxError `UnknownMessageType` where there is none for the message's type */
export function forTypeOf<T>({ id, type }: IncomingMessage, byType: Readonly<Record<string, T>>): T {
  const found = Object.hasOwn(byType, type) ? byType[type] : undefined;
  if (found !== undefined) return found;
  const facts = { messageId: id, messageType: type, knownTypes: Object.keys(byType) };
  throw new SagaboxError('UnknownMessageType', facts);
}

/** What a schema refuses, as lines for people: up to 100, and the number of others. */
export function issuesOf({ issues }: StandardSchemaV1.FailureResult): string[] {
  const told = issues.slice(0, MAX_ISSUES).map((issue) => cutToBytes(describeIssue(issue), MAX_ISSUE_BYTES));
  const untold = issues.length - told.length;
  return untold === 0 ? told : [...told, `and ${untold} more`];
}

function describeIssue(issue: StandardSchemaV1.Issue): string {
  const names = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  const said = cutToBytes(issue.message, MAX_ISSUE_BYTES);
  // Some schemas tell the value that they got.
  const message = names.some(isSecretName) ? said.replace(valueInIssue, MASK) : said;
  return names.length > 0 ? `${names.join('.')}: ${message}` : message;
}

/** Quotes in it may be escaped or not: from the first one on, all may be the value. */
const valueInIssue = /["'].*|\d[\d.]*/gs;
