import { configurationError } from '../../kernel/errors/errors.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import type { EmbeddedOutbox } from './outbox-form.ts';

/** The use that the handlers of a message type make of contributions. */
export type ContributionRole = 'append' | 'collect';

/** The message types of a saga that append or collect contributions. */
export interface ContributionRules {
  /** The types whose handlers append. They write no saga: they take no lease, and cause no conflicts. */
  readonly appendedBy?: ReadonlySet<string>;
  /** The types whose handlers collect. Each message is handled and committed by itself. */
  readonly collectedBy?: ReadonlySet<string>;
}

export function contributionRole(
  { appendedBy, collectedBy }: ContributionRules,
  messageType: string,
): ContributionRole | undefined {
  if (appendedBy?.has(messageType)) return 'append';
  return collectedBy?.has(messageType) ? 'collect' : undefined;
}

interface DefinedRoles {
  readonly messages: MessageSchemas;
  readonly startedBy: readonly string[];
  readonly outbox?: EmbeddedOutbox | undefined;
  readonly appendedBy?: readonly string[] | undefined;
  readonly collectedBy?: readonly string[] | undefined;
}

/** @throws SagaboxError `Configuration` */
export function contributionRules(definition: string, roles: DefinedRoles): ContributionRules {
  const { startedBy, outbox, appendedBy, collectedBy } = roles;
  if (appendedBy === undefined && collectedBy === undefined) return {};
  assertTypes(`${definition}: appendedBy`, appendedBy, roles.messages);
  assertTypes(`${definition}: collectedBy`, collectedBy, roles.messages);
  if (outbox) {
    const problem = 'the saga has an embedded outbox, with which every message writes the item of the saga';
    throw configurationError(
      `${definition}: ${appendedBy ? 'appendedBy' : 'collectedBy'}`,
      problem,
      "Leave out the saga's outbox: it has outbox records then",
    );
  }
  assertApart(`${definition}: appendedBy`, appendedBy, startedBy, 'startedBy');
  assertApart(`${definition}: appendedBy`, appendedBy, collectedBy, 'collectedBy');
  return {
    ...(appendedBy && { appendedBy: new Set(appendedBy) }),
    ...(collectedBy && { collectedBy: new Set(collectedBy) }),
  };
}

function assertTypes(setting: string, types: unknown, messages: MessageSchemas): void {
  if (types === undefined) return;
  const unknown = Array.isArray(types) ? types.filter((type) => !Object.hasOwn(messages, type)) : [];
  if (Array.isArray(types) && types.length > 0 && unknown.length === 0) return;
  const problem =
    unknown.length > 0 ? `${unknown.join(', ')} is not in 'messages'` : 'it names no message type';
  throw configurationError(setting, problem, "Give an array of types of 'messages', or leave it out");
}

/** Refuses types that append, and also start or collect: their handlers would write the saga. */
function assertApart(
  setting: string,
  types: readonly string[] = [],
  others: readonly string[] = [],
  otherSetting: string,
): void {
  const both = types.filter((type) => others.includes(type));
  if (both.length === 0) return;
  const problem = `${both.join(', ')} is in '${otherSetting}' too, and a handler that appends does not write its saga`;
  throw configurationError(setting, problem, `Take it out of '${otherSetting}', or of 'appendedBy'`);
}
