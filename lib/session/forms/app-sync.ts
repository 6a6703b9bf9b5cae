import { isJsonObject } from '../../kernel/values/value-kind.ts';
import type { RequestForm } from './event-form.ts';
import { type Fields, nonEmpty, objectOr } from './fields.ts';
import { appSyncPrincipal } from './principals.ts';

/**
 * A field that a GraphQL API of AppSync resolves by a function, with no request mapping of its own, one by one or
 * in a batch; undefined for any other event. Amplify's resolvers name type and field without `info`. Sources: "AWS
 * AppSync direct Lambda resolver reference", "AWS AppSync resolver mapping template context reference".
 */
export function appSyncForm(event: unknown): RequestForm | undefined {
  const requests: readonly unknown[] = Array.isArray(event) ? event : [event];
  const [first, ...others] = requests.map(fieldRequest);
  if (first === undefined) return undefined;
  const { type, field, principal } = first;
  const isOne = (other: FieldRequest | undefined) => other?.type === type && other.field === field;
  // AppSync batches fields of one type and name. Others are no batch, which a key could be for.
  if (!others.every(isOne)) return undefined;
  const isOfOne = others.every((other) => other?.principal === principal);
  return {
    kind: 'request',
    place: ['appsync', type, field],
    type: `${type}.${field}`,
    content: Array.isArray(event) ? requests.map(contentOf) : contentOf(event),
    principal: isOfOne ? principal : undefined,
    http: undefined,
  };
}

interface FieldRequest {
  readonly type: string;
  readonly field: string;
  readonly principal: string | undefined;
}

function fieldRequest(event: unknown): FieldRequest | undefined {
  if (!isJsonObject(event) || !isJsonObject(event.arguments)) return undefined;
  const { parentTypeName = event.typeName, fieldName = event.fieldName } = objectOr(event.info);
  const [type, field] = [nonEmpty(parentTypeName), nonEmpty(fieldName)];
  if (type === undefined || field === undefined) return undefined;
  return { type, field, principal: appSyncPrincipal(objectOr(event.identity)) };
}

/** Not what the client selects of the answer. */
function contentOf(event: unknown): Fields {
  const { arguments: given, source } = objectOr(event);
  return { arguments: given, source: source ?? undefined };
}
