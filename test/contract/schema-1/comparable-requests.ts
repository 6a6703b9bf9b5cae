import { createHash } from 'node:crypto';
import { capturingClients } from '../../support/captured-requests.ts';

const LONGEST_TEXT = 10_000;

/** Clients that keep what they are to send, in a form to be stored and compared. */
export function comparableRequests() {
  const requests: object[] = [];
  const { clients, destroy } = capturingClients((request) => void requests.push(comparable(request)));
  return {
    clients,
    /** What was sent since the last call. */
    takeRequests: () => requests.splice(0).toSorted(byText),
    destroy,
  };
}

export function byText(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

function comparable(request: object): object {
  return sorted(JSON.parse(JSON.stringify(request))) as object;
}

/** With properties by name, and a hash in place of a long text. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    return `sha256 ${createHash('sha256').update(value).digest('hex')} of ${value.length} characters`;
  }
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}
