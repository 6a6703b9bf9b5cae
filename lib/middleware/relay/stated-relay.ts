import { isJsonObject } from '../../core/checks/value-kind.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { configurationError } from '../../core/failures/errors.ts';
import { type Environment, jsonSetting } from '../settings.ts';

/** The value that the construct writes into SAGABOX_RELAY. */
export interface StatedRelay {
  readonly olderThanSeconds?: unknown;
  readonly strategy?: unknown;
  readonly maxReadUnitsPerSecond?: unknown;
  /** The names of the endpoints that the relay serves. */
  readonly endpoints?: readonly unknown[];
  /** The tables whose streams are read, each with the id of its event source mapping. */
  readonly watched?: readonly unknown[];
  /** The variables that differ from the relay's own, by endpoint and name; JSON values are not strings. */
  readonly exceptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const remedy =
  'Set it to { olderThanSeconds, strategy, maxReadUnitsPerSecond, endpoints, watched, exceptions }, as the construct does';

/** @throws SagaboxError `Configuration` */
export function statedRelay(environment: Environment): StatedRelay {
  const stated = jsonSetting('relay', environment, remedy) ?? {};
  const refusal = (problem: string) => configurationError(environmentVariables.relay, problem, remedy);
  if (!isJsonObject(stated)) throw refusal('it is not an object');
  const { endpoints, watched, exceptions = {} } = stated;
  if (endpoints !== undefined && !Array.isArray(endpoints)) throw refusal('its endpoints are no array');
  if (watched !== undefined && !Array.isArray(watched)) throw refusal('what is watched is no array');
  if (!isJsonObject(exceptions) || !Object.values(exceptions).every(isJsonObject)) {
    throw refusal('its exceptions are no variables by endpoint');
  }
  return stated;
}

/** The variables of an endpoint that differ from the relay's own. */
export function ownVariables({ exceptions = {} }: StatedRelay, endpoint: string): Record<string, string> {
  const own = Object.hasOwn(exceptions, endpoint) ? Object.entries(exceptions[endpoint] ?? {}) : [];
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(own.map(([variable, value]) => [variable, textOf(value)]));
}
