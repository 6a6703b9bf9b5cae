import { SagaboxError } from '../failures/errors.ts';

/**
 * What an environment variable holds as JSON; nothing when it is not set.
 *
 * @param remedy says what it is to hold
 * @throws SagaboxError `Configuration`
 */
export function parseJsonSetting(variable: string, text: string | undefined, remedy: string): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const facts = { setting: variable, problem: 'it is not JSON', remedy };
    throw new SagaboxError('Configuration', facts, { cause: error });
  }
}
