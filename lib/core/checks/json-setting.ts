import { configurationError } from '../failures/errors.ts';

/**
 * What an environment variable holds as JSON; undefined when it is not set.
 *
 * @param remedy says what it is to hold
 * @throws SagaboxError `Configuration`
 */
export function parseJsonSetting(variable: string, json: string | undefined, remedy: string): unknown {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw configurationError(variable, 'it is not JSON', remedy, { cause: error });
  }
}
