import type { StandardSchemaV1 } from '@standard-schema/spec';
import { configurationError } from '../../kernel/errors/errors.ts';
import type { MessageSchemas } from '../schema.ts';
import { type CheckedMessage, checkBody } from './check-body.ts';
import type { OutgoingChecks, SenderContracts } from './contract.ts';
import { refuserOf } from './refusal.ts';

/** By the name of a destination, or of none where the endpoint's configuration decides on it. */
type SchemasByName = ReadonlyMap<string, MessageSchemas>;

const ANY_DESTINATION = '';

/**
 * What checks messages against the contracts that their sender lists. What is not listed is not checked.
 *
 * @param of the definition, for errors
 * @throws SagaboxError `Configuration` when two contracts claim one message type of a destination
 */
export function contractChecks(of: string, listed: SenderContracts): OutgoingChecks {
  const { sends, publishes, replies, timeouts } = listed;
  const schemas: Readonly<Record<keyof SenderContracts, SchemasByName | undefined>> = {
    sends:
      sends &&
      merged(
        `${of}: sends`,
        sends.map(({ name, messages }) => [name, name, messages]),
      ),
    publishes:
      publishes &&
      merged(
        `${of}: publishes`,
        publishes.map(({ name, messages }) => [ANY_DESTINATION, name, messages]),
      ),
    replies:
      replies &&
      merged(
        `${of}: replies`,
        replies.map((contract) => [ANY_DESTINATION, contract.name, contract.replies]),
      ),
    timeouts: timeouts && new Map([[ANY_DESTINATION, timeouts]]),
  };
  return {
    check: (list, message) => {
      const byName = schemas[list];
      return byName && checkBody(schemaFor(list, byName, message), message);
    },
  };
}

/** @param claims destination, name of the contract, and its schemas */
function merged(
  setting: string,
  claims: readonly (readonly [destination: string, contract: string, schemas: MessageSchemas])[],
): SchemasByName {
  const byName = new Map<string, Record<string, StandardSchemaV1>>();
  const claimedBy = new Map<StandardSchemaV1, string>();
  for (const [destination, contract, schemas] of claims) {
    const known = byName.get(destination) ?? {};
    byName.set(destination, known);
    for (const [type, schema] of Object.entries(schemas)) {
      const other = Object.hasOwn(known, type) ? known[type] : undefined;
      if (other !== undefined && other !== schema) {
        const contracts = `the contracts '${claimedBy.get(other)}' and '${contract}'`;
        const remedy = 'Let one contract define it, or list one of them';
        throw configurationError(setting, `${contracts} both claim the message type '${type}'`, remedy);
      }
      known[type] = schema;
      claimedBy.set(schema, contract);
    }
  }
  return byName;
}

function schemaFor(
  list: keyof SenderContracts,
  byName: SchemasByName,
  { destination, type }: CheckedMessage,
): StandardSchemaV1 {
  const refuse = refuserOf(type, destination);
  const schemas = byName.get(list === 'sends' ? destination : ANY_DESTINATION);
  if (schemas === undefined)
    return refuse(`no contract in '${list}' has that name (listed: ${namesOf(byName.keys())})`);
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  // By its name, as the contract of a producer is in no list.
  const claim =
    list === 'sends'
      ? `the contract '${destination}' has no such type`
      : `no contract in '${list}' has that type`;
  return schema ?? refuse(`${claim} (known: ${namesOf(Object.keys(schemas))})`);
}

function namesOf(names: Iterable<string>): string {
  return [...names].filter((name) => name !== ANY_DESTINATION).join(', ') || 'none';
}
