import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../../messages/contracts/contract.ts';
import { type Participant, participantsOf } from '../../messages/contracts/participant.ts';
import { RefusedInput, reasonOf } from '../command.ts';

export interface LoadedParticipant extends Required<Participant> {
  /** The module and the name of its export. */
  readonly origin: string;
}

export interface LoadedModules {
  /** Those that are exported, and those that a participant lists. */
  readonly contracts: readonly Contract[];
  readonly participants: readonly LoadedParticipant[];
}

/**
 * The contracts that modules export, and who takes and sends their messages. Modules are run as Node loads them,
 * which is TypeScript too if its types can be erased.
 *
 * @throws RefusedInput for a module that cannot be loaded, and when none exports a contract, or what lists one
 */
export async function loadModules(paths: readonly string[]): Promise<LoadedModules> {
  const contracts = new Set<Contract>();
  const participants = new Map<Participant, LoadedParticipant>();
  for (const path of paths) {
    const exported = Object.entries(await load(path));
    for (const [, value] of exported) if (isOfKind(value, 'contract')) contracts.add(value as Contract);
    const definitions = exported.filter(
      ([, value]) => isOfKind(value, 'saga') || isOfKind(value, 'handlers'),
    );
    const found = [
      // First by their own names: a handler that is made of them has them too.
      ...definitions.map(([name, value]) => [name, value as Participant] as const),
      ...exported.flatMap(([name, value]) => participantsOf(value).map((each) => [name, each] as const)),
    ];
    for (const [name, participant] of found) {
      const { messages, contracts: listed = {} } = participant;
      if (!participants.has(participant))
        participants.set(participant, { origin: `${path}: ${name}`, messages, contracts: listed });
      const { sends = [], publishes = [], replies = [] } = listed;
      for (const contract of [...sends, ...publishes, ...replies]) contracts.add(contract);
    }
  }
  if (contracts.size > 0) return { contracts: [...contracts], participants: [...participants.values()] };
  throw new RefusedInput([
    'no module exports a contract, or a definition, handler, middleware or producer that lists one',
  ]);
}

async function load(path: string): Promise<object> {
  try {
    return await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw new RefusedInput([
      `${path} cannot be loaded (${reasonOf(error)}): give a module that Node can load, such as its bundle`,
    ]);
  }
}

function isOfKind(value: unknown, kind: string): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
