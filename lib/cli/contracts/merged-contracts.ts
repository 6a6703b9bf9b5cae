import type { StandardSchemaV1 } from '@standard-schema/spec';
import { configurationError } from '../../kernel/errors/errors.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import type { MessageSchemas } from '../../messages/schema.ts';

/** Whether two schemas take the same. */
export type AreSame = (one: StandardSchemaV1, other: StandardSchemaV1) => boolean;

/** By message type: a schema, and those that are the same, of other bundles. */
type Copies = ReadonlyMap<string, readonly StandardSchemaV1[]>;

/** The contracts of one destination together: each bundle has a copy of a contract. */
export interface MergedContract {
  readonly name: string;
  readonly contracts: readonly Contract[];
  readonly messages: Copies;
  readonly replies: Copies;
}

/** @throws SagaboxError `Configuration` when two contracts of one destination claim one message type */
export function mergedContracts(contracts: readonly Contract[], areSame: AreSame): MergedContract[] {
  return [...Map.groupBy(contracts, ({ name }) => name)].map(([name, together]) => ({
    name,
    contracts: together,
    messages: copiesOf(
      name,
      together.map(({ messages }) => messages),
      areSame,
    ),
    replies: copiesOf(
      name,
      together.map(({ replies }) => replies),
      areSame,
    ),
  }));
}

/** Those whose message it is; several if they share its schema. */
export function contractsWith(
  merged: readonly MergedContract[],
  type: string,
  schema: StandardSchemaV1,
  areSame: AreSame,
): readonly MergedContract[] {
  const own = merged.filter(({ messages }) => messages.get(type)?.includes(schema));
  if (own.length > 0) return own;
  // Of a bundle that exports no contract: not if it could be that of several.
  const alike = merged.filter(({ messages }) => messages.get(type)?.some((each) => areSame(each, schema)));
  return alike.length === 1 ? alike : [];
}

function copiesOf(name: string, all: readonly MessageSchemas[], areSame: AreSame): Copies {
  const copies = new Map<string, StandardSchemaV1[]>();
  for (const [type, schema] of all.flatMap((schemas) => Object.entries(schemas))) {
    const known = copies.get(type) ?? [];
    copies.set(type, known);
    if (known[0] && !areSame(known[0], schema)) throw bothClaim(name, type);
    if (!known.includes(schema)) known.push(schema);
  }
  return copies;
}

function bothClaim(name: string, type: string) {
  return configurationError(
    `the contract '${name}'`,
    `two contracts of that name both claim the message type '${type}', with schemas that are not known to be the same`,
    'Let one contract define it. If they are copies in two bundles, bundle both entries together, with a ' +
      'shared chunk (--splitting of esbuild)',
  );
}
