import { trueOrFalse, withSettings } from '../checks/option-checks.ts';
import { isLiteral, isPlainArray, isPlainBytes, isPlainSet } from '../checks/value-kind.ts';
import { configurationError } from '../failures/errors.ts';
import { describeValue, readableEntries } from '../failures/thrown.ts';
import type { MessageSchemas } from '../handlers/schema.ts';
import type { EmbeddedOutbox } from './outbox-form.ts';

export function assertStarters(name: string, startedBy: readonly string[], messages: MessageSchemas): void {
  const starters = Array.isArray(startedBy) ? startedBy : [];
  const unknown = starters.filter((type) => !Object.hasOwn(messages, type));
  if (starters.length > 0 && unknown.length === 0) return;
  throw configurationError(
    `defineSaga '${name}': startedBy`,
    unknown.length > 0 ? `${unknown.join(', ')} is not in 'messages'` : 'no message type starts the saga',
    "Give an array of at least one type of 'messages'",
  );
}

/** Refuses a shared initial state: one object would carry the changes of one saga over to the next. */
export function assertFreshStates(name: string, initialState: () => unknown): void {
  const setting = `defineSaga '${name}': initialState`;
  const example = 'as in () => ({ count: 0 })';
  if (typeof initialState !== 'function') {
    const remedy = `Give a function that returns a new object, ${example}`;
    throw configurationError(setting, `it is a value of type ${typeof initialState}`, remedy);
  }
  const [first, second] = [initialState(), initialState()];
  if (first === second) {
    const remedy = `Make the object inside of it, ${example}`;
    throw configurationError(setting, 'it returned the same object twice', remedy);
  }
  const shared = sharedPart(first, second, 'state', new Set());
  if (shared === undefined) return;
  const remedy = 'Make it inside of the function, copy it (structuredClone), or freeze it';
  throw configurationError(setting, `${shared} is the same object in each new state`, remedy);
}

/** Returns the path of a part that both states share, so that a handler would change it in both. */
function sharedPart(first: unknown, second: unknown, path: string, seen: Set<unknown>): string | undefined {
  if (!isObject(first) || !isObject(second) || seen.has(first)) return undefined;
  seen.add(first);
  const hasParts = isLiteral(first) || isPlainArray(first);
  // An instance of a class may be immutable.
  const isChangeable = hasParts ? !Object.isFrozen(first) : isPlainSet(first) || isPlainBytes(first);
  if (first === second && isChangeable) return path;
  if (!hasParts) return undefined;
  for (const [name, part] of readableEntries(first)) {
    const place = isPlainArray(first) ? `${path}[${name}]` : `${path}.${name}`;
    const other = (second as Readonly<Record<string, unknown>>)[name];
    const found = sharedPart(part, other, place, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function assertStateOptions(name: string, options: unknown): void {
  const setting = `defineSaga '${name}': state`;
  const wrong = options === undefined ? undefined : withSettings({ compress: trueOrFalse })(options, setting);
  if (wrong)
    throw configurationError(wrong.setting, wrong.problem, 'Give { compress: true }, or leave it out');
}

export function assertOutbox(sagaName: string, outbox: unknown): void {
  if (outbox === undefined || isObject((outbox as EmbeddedOutbox | null)?.parts)) return;
  throw configurationError(
    `defineSaga '${sagaName}': outbox`,
    `it is ${describeValue(outbox)}`,
    'Give embeddedOutbox() or embeddedOutbox({ withRecords: true }), or leave it out for outbox records',
  );
}

export function assertCoalesce(name: string, coalesce: unknown): void {
  if (coalesce === undefined || typeof coalesce === 'boolean') return;
  const setting = `defineSaga '${name}': coalesce`;
  throw configurationError(setting, `${describeValue(coalesce)} is not true or false`, 'Use true or false');
}
