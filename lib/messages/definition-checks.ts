import { isGeneratorFunction } from 'node:util/types';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { addUnknown, type Check, type Checks, checkOf } from '../kernel/checks/checks.ts';
import { Problems, problemsError } from '../kernel/checks/problems.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import type { MessageSchemas } from './schema.ts';

const schemaRemedy =
  'Give a schema of zod, valibot, arktype or another library that implements Standard Schema';

/** A Standard Schema, also one of arktype, which is a function. */
export const aSchema = checkOf(
  (schema, described) => (isStandardSchema(schema) ? undefined : `${described()} is no Standard Schema`),
  schemaRemedy,
);

/** A schema for each message type. */
export const schemas: Check = (given, at, report) => {
  if (!isJsonObject(given)) return aSchema(given, at, report);
  const odd = Object.keys(given).filter((type) => !isStandardSchema(given[type]));
  if (odd.length === 0) return given;
  report.add(at, `what is given for ${odd.join(', ')} is no Standard Schema`, schemaRemedy);
  return undefined;
};

/** The schemas of the message types of a definition, which has one at least. */
export const someMessages: Check = (given, at, report) => {
  if (Object.keys(given ?? {}).length > 0) return schemas(given, at, report);
  report.add(at, 'no message type is given', 'Add a schema for each message type that it handles');
  return undefined;
};

/** A function for each message type, as the types demand in TypeScript. */
export function functionPerType(messages: MessageSchemas): Check {
  return checkOf((functions) => {
    // Its own ones: every object inherits a 'toString'.
    const given = new Map(Object.entries(functions ?? {}));
    const types = Object.keys(messages ?? {});
    // What is wrong with the messages is reported.
    if (types.length === 0) return undefined;
    const missing = types.filter((type) => typeof given.get(type) !== 'function');
    const unknown = [...given.keys()].filter((type) => !types.includes(type));
    const generators = [...given].filter(([, each]) => isGeneratorFunction(each)).map(([type]) => type);
    const problems = [
      generators.length > 0 &&
        `${generators.join(', ')} is a generator function, of which a call runs nothing`,
      missing.length > 0 && `it has no function for ${missing.join(', ')}`,
      unknown.length > 0 && `${unknown.join(', ')} is not in 'messages'`,
    ].filter(Boolean);
    return problems.length > 0 ? problems.join(', and ') : undefined;
  }, "Give one function for each type in 'messages'");
}

export function optional(check: Check): Check {
  return (value, at, report) => (value === undefined ? undefined : check(value, at, report));
}

/**
 * Refuses a wrong definition when it is made, and not with the first message. A misspelt setting would have no
 * effect: the types cannot refuse it in plain JavaScript.
 *
 * @param of as in "defineSaga 'Order'"
 * @param checks one for each setting, which sees what is left out as `undefined`
 * @throws SagaboxError `Configuration` with all problems
 */
export function assertDefinition(of: string, definition: object, checks: Checks): void {
  const report = new Problems();
  const given: Readonly<Record<string, unknown>> = Object(definition);
  for (const name of Object.keys(given))
    if (!Object.hasOwn(checks, name)) addUnknown(name, Object.keys(checks), '', report);
  for (const [name, check] of Object.entries(checks)) check(given[name], name, report);
  if (report.found.length > 0) throw problemsError(of, report.found, { prefix: `${of}: ` });
}

function isStandardSchema(schema: unknown): boolean {
  const { '~standard': standard } = Object(schema) as Partial<StandardSchemaV1>;
  return typeof Object(standard).validate === 'function';
}
