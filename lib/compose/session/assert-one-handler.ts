import { configurationError } from '../../kernel/errors/errors.ts';
import type { SessionRequest } from '../../session/session-request.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/** The source code of the handlers of recent requests, by the client or ports that store their records. */
const handlers = new WeakMap<object, Map<string, string>>();

const MAX_REQUESTS = 1000;

/** The key of requests whose records the client of the process stores. */
const ofProcess = {};

/**
 * Refuses a request that another handler has run for in this process, as `charge` and then `ship` for one
 * order: the second handler would not run, and get the result of the first one.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertOneHandler(
  { id, isRepeatable }: SessionRequest,
  // biome-ignore lint/complexity/noBannedTypes: any handler
  handler: Function,
  { operation, ports, dynamoDBClient }: OutboxSessionOptions,
): void {
  if (operation !== undefined || !isRepeatable) return;
  const store = ports ?? dynamoDBClient ?? ofProcess;
  const known = handlers.get(store) ?? new Map<string, string>();
  handlers.set(store, known);
  const source = String(handler);
  const first = known.get(id) ?? source;
  if (first !== source)
    throw configurationError(
      'operation',
      'two handlers run for one event under one key, and the second would get the result of the first',
      "Give each of them a name, such as operation: 'charge'",
    );
  known.delete(id);
  known.set(id, source);
  const [oldest] = known.keys();
  if (known.size > MAX_REQUESTS && oldest !== undefined) known.delete(oldest);
}
