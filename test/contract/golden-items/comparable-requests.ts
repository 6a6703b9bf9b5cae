import { createHash } from 'node:crypto';
import { capturingClients } from '../../support/captured-requests.ts';

const LONGEST_TEXT = 10_000;

/** Clients that keep what they are to send, in a form to be stored and compared. */
export function comparableRequests() {
  const requests: object[] = [];
  let isRefused: (operation: string) => boolean = () => false;
  const { clients, destroy } = capturingClients((request) => {
    if (isRefused(request.operation))
      throw Object.assign(new Error('refused'), { name: 'AccessDeniedException', $fault: 'client' });
    // A body goes to the bucket before its commit.
    if (request.operation !== 'PutObject') requests.push(comparable(request));
  });
  return {
    clients,
    /** What was sent since the last call. */
    takeRequests: () => requests.splice(0).toSorted(byText),
    /** Has the services refuse what is sent to them; without operations, nothing. */
    refuse: (...operations: readonly RegExp[]) => {
      isRefused = (operation) => operations.some((one) => one.test(operation));
    },
    destroy,
  };
}

export function byText(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

/** With properties by name, and a hash in place of a long text. */
export function comparable<Value extends object>(value: Value): Value {
  return sorted(JSON.parse(JSON.stringify(value)));
}

function sorted<Value>(value: Value): Value {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    const hash = createHash('sha256').update(value).digest('hex');
    return `sha256 ${hash} of ${value.length} characters` as Value;
  }
  if (Array.isArray(value)) return value.map(sorted) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)])) as Value;
}
