import type { StandardSchemaV1 } from '@standard-schema/spec';
import { configurationError } from '../../kernel/errors/errors.ts';
import { assertOneReceiver } from '../../messages/contracts/one-receiver.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import type { LoadedModules, LoadedParticipant } from './load-modules.ts';
import { type AreSame, contractsWith, type MergedContract, mergedContracts } from './merged-contracts.ts';

/** The contracts of one destination together, and who of what was loaded takes and sends their messages. */
export interface ContractUse {
  readonly name: string;
  readonly messages: MessageSchemas;
  readonly replies: MessageSchemas;
  /** By message type. */
  readonly takenBy: ReadonlyMap<string, readonly LoadedParticipant[]>;
  readonly sentBy: readonly LoadedParticipant[];
  readonly isPublished: boolean;
}

interface UseRules {
  readonly areSame: AreSame;
  /** Names of contracts that something else publishes. */
  readonly published: readonly string[];
}

/**
 * By the name of the destination.
 *
 * @throws SagaboxError `Configuration` when two contracts claim one message type of a destination, when two
 *   participants take one that nobody publishes, and for a published contract that there is not
 */
export function contractUses(
  { contracts, participants }: LoadedModules,
  { areSame, published }: UseRules,
): ContractUse[] {
  const merged = mergedContracts(contracts, areSame);
  assertKnown(published, merged);
  return merged
    .map((contract) => {
      const contractsOf = (type: string, schema: StandardSchemaV1) =>
        contractsWith(merged, type, schema, areSame);
      return contractUse(contract, participants, contractsOf, published.includes(contract.name));
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function contractUse(
  contract: MergedContract,
  participants: readonly LoadedParticipant[],
  contractsOf: (type: string, schema: StandardSchemaV1) => readonly MergedContract[],
  isPublishedElsewhere: boolean,
): ContractUse {
  const { name, contracts, messages, replies } = contract;
  const listedIn = (list: 'sends' | 'publishes') =>
    participants.filter((each) => each.contracts[list]?.some((listed) => contracts.includes(listed)));
  const publishers = listedIn('publishes');
  const isPublished = publishers.length > 0 || isPublishedElsewhere;
  const takenBy = new Map(
    [...messages.keys()].map((type) => {
      const claims = participants.flatMap((participant) => {
        const schema = Object.hasOwn(participant.messages, type) ? participant.messages[type] : undefined;
        const its = schema ? contractsOf(type, schema) : [];
        // It is not if two contracts share the schema.
        return its.includes(contract) ? [{ participant, isCertain: its.length === 1 }] : [];
      });
      const certain = claims.filter(({ isCertain }) => isCertain);
      const origins = certain.map(({ participant }) => participant.origin);
      const ifPublished = `give the module that publishes it too, or --published ${name}`;
      if (!isPublished) assertOneReceiver(name, type, origins, ifPublished);
      return [type, claims.map(({ participant }) => participant)];
    }),
  );
  return {
    name,
    messages: firstOf(messages),
    replies: firstOf(replies),
    takenBy,
    sentBy: [...new Set([...listedIn('sends'), ...publishers])],
    isPublished,
  };
}

function firstOf(copies: MergedContract['messages']): MessageSchemas {
  return Object.fromEntries([...copies].map(([type, [schema]]) => [type, schema as StandardSchemaV1]));
}

function assertKnown(published: readonly string[], merged: readonly MergedContract[]): void {
  const unknown = published.filter((name) => !merged.some((contract) => contract.name === name));
  if (unknown.length === 0) return;
  const known = merged.map(({ name }) => name).join(', ');
  throw configurationError('--published', `there is no contract '${unknown[0]}'`, `Give one of ${known}`);
}
