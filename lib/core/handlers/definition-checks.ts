import { isGeneratorFunction } from 'node:util/types';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { nameQuestion } from '../checks/similar-name.ts';
import { isJsonObject } from '../checks/value-kind.ts';
import { configurationError, type SagaboxError } from '../failures/errors.ts';
import { describeValue } from '../failures/thrown.ts';
import type { MessageSchemas } from './schema.ts';

/** Refuses what is no Standard Schema when a handler is defined, and not with the first message. */
export function assertMessages(definition: string, messages: MessageSchemas): void {
  if (Object.keys(messages ?? {}).length === 0) {
    const remedy = 'Add a schema for each message type that it handles';
    throw configurationError(`${definition}: messages`, 'no message type is given', remedy);
  }
  assertSchemas(`${definition}: messages`, messages);
}

export function assertSchemas(setting: string, schemas: MessageSchemas): void {
  if (!isJsonObject(schemas)) throw noSchema(setting, describeValue(schemas));
  const odd = Object.keys(schemas).filter((type) => !isStandardSchema(schemas[type]));
  if (odd.length > 0) throw noSchema(setting, `what is given for ${odd.join(', ')}`);
}

export function assertSchema(setting: string, schema: unknown): void {
  if (!isStandardSchema(schema)) throw noSchema(setting, describeValue(schema));
}

function noSchema(setting: string, given: string): SagaboxError<'Configuration'> {
  return configurationError(
    setting,
    `${given} is no Standard Schema`,
    'Give a schema of zod, valibot, arktype or another library that implements Standard Schema',
  );
}

/** Those of arktype are functions. */
function isStandardSchema(schema: unknown): boolean {
  const { '~standard': standard } = Object(schema) as Partial<StandardSchemaV1>;
  return typeof Object(standard).validate === 'function';
}

/** Refuses a misspelt setting, which would have no effect: the types cannot do that in plain JavaScript. */
export function assertSettings(definition: string, given: object, settings: object): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(settings, name));
  if (unknown === undefined) return;
  const known = Object.keys(settings);
  const question = nameQuestion(unknown, known);
  const problem = `there is no such setting${question === undefined ? '' : ` (${question})`}`;
  throw configurationError(`${definition}: ${unknown}`, problem, `Use ${known.join(', ')}`);
}

/** Refuses a definition in which a message type lacks its function, as the types do in TypeScript. */
export function assertFunctionPerType(
  definition: string,
  messages: MessageSchemas,
  property: string,
  functions: Readonly<Record<string, unknown>>,
): void {
  // Its own ones: every object inherits a 'toString'.
  const given = new Map(Object.entries(functions ?? {}));
  const missing = Object.keys(messages).filter((type) => typeof given.get(type) !== 'function');
  const unknown = [...given.keys()].filter((type) => !Object.hasOwn(messages, type));
  const generators = [...given].filter(([, each]) => isGeneratorFunction(each)).map(([type]) => type);
  const problems = [
    generators.length > 0 && `${generators.join(', ')} is a generator function, of which a call runs nothing`,
    missing.length > 0 && `it has no function for ${missing.join(', ')}`,
    unknown.length > 0 && `${unknown.join(', ')} is not in 'messages'`,
  ].filter(Boolean);
  if (problems.length === 0) return;
  const remedy = "Give one function for each type in 'messages'";
  throw configurationError(`${definition}: ${property}`, problems.join(', and '), remedy);
}
