import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import {
  type JsonSchema,
  type JsonSchemaTarget,
  jsonSchemaOf,
} from '../../messages/contracts/json-schema.ts';

/** The JSON Schemas of messages, and why some have none. */
export class PayloadSchemas {
  readonly problems: string[] = [];
  readonly #target: JsonSchemaTarget;
  readonly #withJsonSchema: (schema: StandardSchemaV1) => StandardSchemaV1;

  constructor(target: JsonSchemaTarget, withJsonSchema: (schema: StandardSchemaV1) => StandardSchemaV1) {
    this.#target = target;
    this.#withJsonSchema = withJsonSchema;
  }

  /** @param place of the schema, for its problem */
  of(place: string, schema: StandardSchemaV1): JsonSchema | undefined {
    try {
      return this.#jsonSchemaOf(schema);
    } catch (error) {
      this.problems.push(`${place} has no JSON Schema: ${thrownMessage(error)}`);
      return undefined;
    }
  }

  /** Two bundles have two objects of one schema. */
  areSame(one: StandardSchemaV1, other: StandardSchemaV1): boolean {
    if (one === other) return true;
    try {
      return isDeepStrictEqual(this.#jsonSchemaOf(one), this.#jsonSchemaOf(other));
    } catch {
      // One of them has none: it is not known.
      return false;
    }
  }

  #jsonSchemaOf(schema: StandardSchemaV1): JsonSchema {
    const { $schema: _dialect, ...jsonSchema } = jsonSchemaOf(this.#withJsonSchema(schema), this.#target);
    return jsonSchema;
  }
}

const valibotPackage = '@valibot/to-json-schema';

/** Schemas of valibot get theirs by a package of its own, if the project has it. */
export async function standardJsonSchemas(): Promise<(schema: StandardSchemaV1) => StandardSchemaV1> {
  const convert = await valibotConverter();
  return (schema) => (schema['~standard'].vendor === 'valibot' && convert ? convert(schema) : schema);
}

async function valibotConverter(): Promise<((schema: StandardSchemaV1) => StandardSchemaV1) | undefined> {
  try {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve(valibotPackage);
    return (await import(pathToFileURL(path).href)).toStandardJsonSchema;
  } catch {
    // It is not installed: then the problem of each schema tells.
    return undefined;
  }
}
