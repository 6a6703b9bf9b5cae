import { configurationError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';

/**
 * An event as a function gets it, which Lambda carries as JSON.
 *
 * @throws SagaboxError `Configuration` for what JSON cannot hold
 */
export function invocationEvent(event: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(event);
  } catch (cause) {
    throw refusal(thrownMessage(cause), cause);
  }
  if (json === undefined) throw refusal(`${typeof event} has no JSON form`);
  return JSON.parse(json);
}

function refusal(reason: string, cause?: unknown): Error {
  return configurationError(
    'event',
    `JSON cannot hold it: ${reason.replace(/\s+/g, ' ')}`,
    'Give the function an event of objects, arrays, strings, numbers, true, false and null',
    { cause },
  );
}
