import { isJsonObject } from '../../core/checks/value-kind.ts';
import { toStateAttributes } from '../../core/storage/state-attributes.ts';

/** Whether the state of a process holds both alike: the order of properties, and undefined ones, do not count. */
export function isSameRequest(stored: unknown, other: unknown): boolean {
  try {
    return contentOf(stored) === contentOf(other);
  } catch {
    // What no state can hold is not the request of a process.
    return false;
  }
}

function contentOf(request: unknown): string {
  return JSON.stringify(toStateAttributes({ request }), (_name, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([name], [next]) => (name < next ? -1 : 1)))
      : value,
  );
}
