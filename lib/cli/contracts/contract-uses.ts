import type { Contract } from '../../core/contracts/contract.ts';
import { checksOf } from '../../core/contracts/listed-contracts.ts';
import { configurationError } from '../../core/failures/errors.ts';
import type { MessageSchemas } from '../../core/handlers/schema.ts';
import type { LoadedDefinition, LoadedModules } from './load-modules.ts';

/** The contracts of one destination together, and who of what was loaded takes and sends their messages. */
export interface ContractUse {
  readonly name: string;
  readonly messages: MessageSchemas;
  readonly replies: MessageSchemas;
  /** By message type. */
  readonly takenBy: ReadonlyMap<string, readonly LoadedDefinition[]>;
  readonly sentBy: readonly LoadedDefinition[];
  readonly isPublished: boolean;
}

/**
 * By the name of the destination.
 *
 * @throws SagaboxError `Configuration` when two contracts claim one message type of a destination, and when two
 *   definitions take one that nobody publishes
 */
export function contractUses({ contracts, definitions }: LoadedModules): ContractUse[] {
  return [...Map.groupBy(contracts, ({ name }) => name)]
    .map(([name, together]) => contractUse(name, together, definitions))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function contractUse(
  name: string,
  contracts: readonly Contract[],
  definitions: readonly LoadedDefinition[],
): ContractUse {
  checksOf(`the contracts '${name}'`, { sends: contracts, replies: contracts });
  const messages = Object.assign({}, ...contracts.map((contract) => contract.messages)) as MessageSchemas;
  const replies = Object.assign({}, ...contracts.map((contract) => contract.replies)) as MessageSchemas;
  const listedIn = (list: 'sends' | 'publishes') =>
    definitions.filter((definition) =>
      definition.contracts[list]?.some((listed) => contracts.includes(listed)),
    );
  const takenBy = new Map(
    Object.entries(messages).map(([type, schema]) => [
      type,
      definitions.filter(
        (taking) => Object.hasOwn(taking.messages, type) && taking.messages[type] === schema,
      ),
    ]),
  );
  const publishers = listedIn('publishes');
  const isPublished = publishers.length > 0;
  if (!isPublished) assertOneReceiver(name, takenBy);
  return {
    name,
    messages,
    replies,
    takenBy,
    sentBy: [...new Set([...listedIn('sends'), ...publishers])],
    isPublished,
  };
}

/** Queues have one receiver; what is published has as many as subscribe. */
function assertOneReceiver(name: string, takenBy: ContractUse['takenBy']): void {
  for (const [type, receivers] of takenBy) {
    if (receivers.length < 2) continue;
    const origins = receivers.map(({ origin }) => origin).join(' and ');
    throw configurationError(
      `the contract '${name}'`,
      `'${type}' is taken by ${origins}`,
      'Let one endpoint take it, or give the module that publishes it too',
    );
  }
}
