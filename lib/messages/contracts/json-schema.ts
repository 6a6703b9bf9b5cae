import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { configurationError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import type { MessageSchemas } from '../schema.ts';
import type { Contract } from './contract.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A draft of JSON Schema, by its name in the Standard JSON Schema interface. */
export type JsonSchemaTarget = StandardJSONSchemaV1.Target;

export interface ContractJsonSchemas {
  /** By message type: what a sender gives. */
  readonly messages: Readonly<Record<string, JsonSchema>>;
  readonly replies: Readonly<Record<string, JsonSchema>>;
}

/**
 * The messages of a contract as JSON Schemas, of what a sender gives. Schemas of libraries with the Standard
 * JSON Schema interface have one, such as those of zod 4.2 and arktype, and those of valibot in
 * `toStandardJsonSchema` of `@valibot/to-json-schema`.
 *
 * @throws SagaboxError `Configuration` for a message type whose library has none for it
 * @example
 * ```ts
 * import { contractJsonSchemas, defineContract } from 'sagabox';
 * import * as z from 'zod';
 *
 * const billing = defineContract('billing', { ChargeCard: z.object({ orderId: z.string() }) });
 * console.log(contractJsonSchemas(billing).messages.ChargeCard);
 * ```
 */
export function contractJsonSchemas(
  { name, messages, replies }: Contract,
  target: JsonSchemaTarget = 'draft-2020-12',
): ContractJsonSchemas {
  const schemasOf = (list: string, schemas: MessageSchemas) =>
    Object.fromEntries(
      Object.entries(schemas).map(([type, schema]) => {
        try {
          return [type, jsonSchemaOf(schema, target)];
        } catch (error) {
          const setting = `the contract '${name}': ${list}.${type}`;
          const remedy = 'Use a schema whose library has JSON Schemas, and what JSON Schema can say';
          throw configurationError(setting, thrownMessage(error), remedy, { cause: error });
        }
      }),
    );
  return { messages: schemasOf('messages', messages), replies: schemasOf('replies', replies) };
}

/** @throws Error for a schema that has no JSON Schema, as its library says */
export function jsonSchemaOf(schema: StandardSchemaV1, target: JsonSchemaTarget): JsonSchema {
  const standard: Partial<StandardJSONSchemaV1.Props> = schema['~standard'];
  if (typeof standard.jsonSchema?.input !== 'function')
    throw new Error(`a schema of ${standard.vendor} has no JSON Schema by itself`);
  return standard.jsonSchema.input({ target });
}
