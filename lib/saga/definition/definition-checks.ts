import { anObject, type Check, checkOf, objectOf, trueOrFalse } from '../../kernel/checks/checks.ts';
import { readableEntries } from '../../kernel/errors/thrown.ts';
import {
  isJsonObject,
  isLiteral,
  isPlainArray,
  isPlainBytes,
  isPlainSet,
} from '../../kernel/values/value-kind.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import { migrationsProblem, type StateMigrations } from '../state-versions.ts';
import type { EmbeddedOutbox } from './outbox-form.ts';

/** The message types that start a saga, one at least. */
export function startersOf(messages: MessageSchemas): Check {
  return checkOf((startedBy) => {
    // What is wrong with the messages is reported.
    if (Object.keys(messages ?? {}).length === 0) return undefined;
    const starters: string[] = Array.isArray(startedBy) ? startedBy : [];
    const unknown = starters.filter((type) => !Object.hasOwn(messages, type));
    if (unknown.length > 0) return `${unknown.join(', ')} is not in 'messages'`;
    return starters.length > 0 ? undefined : 'no message type starts the saga';
  }, "Give an array of at least one type of 'messages'");
}

/** A function that makes a new state: one object for all would carry the changes of one saga over to the next. */
export const freshStates: Check = (initialState, at, report) => {
  const example = 'as in () => ({ count: 0 })';
  if (typeof initialState !== 'function') {
    const remedy = `Give a function that returns a new object, ${example}`;
    report.add(at, `it is a value of type ${typeof initialState}`, remedy);
    return undefined;
  }
  const [first, second] = [initialState(), initialState()];
  if (first === second)
    report.add(at, 'it returned the same object twice', `Make the object inside of it, ${example}`);
  const shared = first === second ? undefined : sharedPart(first, second, 'state', new Set());
  if (shared !== undefined) {
    const remedy = 'Make it inside of the function, copy it (structuredClone), or freeze it';
    report.add(at, `${shared} is the same object in each new state`, remedy);
  }
  return initialState;
};

/** Functions that bring states of earlier versions up to date. */
export const stateMigrations: Check = (migrate, at, report) => {
  if (!isJsonObject(migrate)) return anObject(migrate, at, report);
  const problem = migrationsProblem(migrate as StateMigrations);
  const remedy = 'Give a function for each version that is still stored, as in { 1: (old) => ({ ...old }) }';
  if (problem !== undefined) report.add(at, problem, remedy);
  return migrate;
};

export const stateOptions = objectOf({ compress: trueOrFalse });

export const anOutbox = checkOf(
  (outbox, described) =>
    isObject((outbox as EmbeddedOutbox | null)?.parts) ? undefined : `it is ${described()}`,
  'Give embeddedOutbox() or embeddedOutbox({ withRecords: true }), or leave it out for outbox records',
);

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
