import { outboxPartitionPrefix, sagaPartitionPrefix, unsentPartition } from '../../dynamodb/keys.ts';
import { isKnown } from '../is-known.ts';

/** As IAM takes them: by operator, then by key. */
export type Conditions = Record<string, Record<string, unknown>>;

/** The items of its tables that an endpoint may access. */
export interface LeadingKeys {
  /** The names of the sagas that its handlers define, as in `defineSaga({ name })`. */
  readonly sagas: readonly string[];
}

const leadingKeysOfEndpoints = new WeakMap<object, LeadingKeys>();

/** For whoever else works on the items of the endpoint: its relay, and people who operate it. */
export function rememberLeadingKeys(endpoint: object, leadingKeys: LeadingKeys | undefined): void {
  if (leadingKeys !== undefined) leadingKeysOfEndpoints.set(endpoint, leadingKeys);
}

/** Of an endpoint that restricts its function; `undefined` for any other. */
export function leadingKeysOf(endpoint: object): LeadingKeys | undefined {
  return leadingKeysOfEndpoints.get(endpoint);
}

interface NamedEndpoint {
  readonly endpointName: string;
  readonly leadingKeys: LeadingKeys | undefined;
}

/**
 * Restricts a statement to the partition keys of an endpoint. A condition on all values holds without any
 * value too, so that there must be one: a call whose keys are not known to IAM is refused.
 * Sources: "Using IAM policy conditions for fine-grained access control", "Multivalued context keys".
 */
export function leadingKeysCondition(
  { endpointName, leadingKeys }: NamedEndpoint,
  parts: readonly ('sagas' | 'outbox')[],
): Conditions {
  if (leadingKeys === undefined) return {};
  const prefixes = parts.flatMap((part) =>
    part === 'sagas' ? leadingKeys.sagas.map(sagaPartitionPrefix) : [outboxPartitionPrefix(endpointName)],
  );
  return prefixCondition(prefixes);
}

/**
 * For a relay of these endpoints: as soon as one of them restricts its function, their records and no others.
 */
export function recordsCondition(endpoints: readonly { readonly endpointName: string }[]): Conditions {
  if (!isAnyRestricted(endpoints)) return {};
  return prefixCondition(endpoints.map(({ endpointName }) => outboxPartitionPrefix(endpointName)));
}

/** For a relay of these endpoints: what was not sent of theirs and of no others, as soon as one restricts its function. */
export function unsentCondition(endpoints: readonly { readonly endpointName: string }[]): Conditions {
  if (!isAnyRestricted(endpoints)) return {};
  return keysCondition(endpoints.map(({ endpointName }) => unsentPartition(endpointName)));
}

/** For the watcher of these endpoints, which lists what it finds of any: lists and nothing else. */
export function anyUnsentCondition(endpoints: readonly object[]): Conditions {
  return isAnyRestricted(endpoints) ? keysCondition([unsentPartition('*')]) : {};
}

/**
 * For a relay of these endpoints: their sagas and no others, once each of them names its own.
 */
export function sagasCondition(endpoints: readonly object[]): Conditions {
  const restrictions = endpoints.map(leadingKeysOf).filter((each) => each !== undefined);
  if (restrictions.length < endpoints.length) return {};
  return prefixCondition(restrictions.flatMap(({ sagas }) => sagas.map(sagaPartitionPrefix)));
}

function isAnyRestricted(endpoints: readonly object[]): boolean {
  return endpoints.some((endpoint) => leadingKeysOf(endpoint) !== undefined);
}

function prefixCondition(prefixes: readonly string[]): Conditions {
  return keysCondition(prefixes.map((prefix) => `${prefix}*`));
}

function keysCondition(patterns: readonly string[]): Conditions {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}

/** A name with a wildcard would open the items of others; one with a variable of IAM would be replaced. */
export function leadingKeysViolations({
  endpointName,
  leadingKeys,
  hasSagas,
}: NamedEndpoint & { readonly hasSagas: boolean }): string[] {
  if (leadingKeys === undefined) return [];
  const { sagas } = leadingKeys;
  const found = patternViolations([endpointName, ...sagas]);
  if (hasSagas && sagas.length === 0) {
    found.push(
      'leadingKeys: sagas is empty, so that no saga could be stored. Name the sagas of the handlers.',
    );
  }
  return found;
}

/** Of the names of endpoints that share a relay with one that restricts its function. */
export function relayKeysViolations(endpoints: readonly { readonly endpointName: string }[]): string[] {
  if (!isAnyRestricted(endpoints)) return [];
  return patternViolations(endpoints.map(({ endpointName }) => endpointName));
}

function patternViolations(names: readonly string[]): string[] {
  return names
    .filter((name) => isKnown(name) && /[*?]|\$\{/.test(name))
    .map(
      (name) =>
        `leadingKeys: '${name}' has a character that IAM reads as a pattern. Use a name without *, ? and \${.`,
    );
}
