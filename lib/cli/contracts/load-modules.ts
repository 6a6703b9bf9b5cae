import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract, SenderContracts } from '../../core/contracts/contract.ts';
import type { MessageSchemas } from '../../core/handlers/schema.ts';
import { RefusedInput, reasonOf } from '../command.ts';

/** A saga or handler set that a module exports. */
export interface LoadedDefinition {
  /** The module and the name of its export. */
  readonly origin: string;
  readonly messages: MessageSchemas;
  readonly contracts: SenderContracts;
}

export interface LoadedModules {
  /** Those that are exported, and those that a definition lists. */
  readonly contracts: readonly Contract[];
  readonly definitions: readonly LoadedDefinition[];
}

/**
 * The contracts and definitions that modules export. Modules are run as Node loads them, which is TypeScript
 * too if its types can be erased.
 *
 * @throws RefusedInput for a module that cannot be loaded, and when none exports a contract or a definition
 */
export async function loadModules(paths: readonly string[]): Promise<LoadedModules> {
  const contracts = new Set<Contract>();
  const definitions = new Map<object, LoadedDefinition>();
  for (const path of paths) {
    for (const [name, value] of Object.entries(await load(path))) {
      if (isOfKind(value, 'contract')) contracts.add(value as Contract);
      if (!isOfKind(value, 'saga') && !isOfKind(value, 'handlers')) continue;
      const { messages, contracts: listed } = value as LoadedDefinition;
      if (!definitions.has(value))
        definitions.set(value, { origin: `${path}: ${name}`, messages, contracts: listed });
      const { sends = [], publishes = [], replies = [] } = listed;
      for (const contract of [...sends, ...publishes, ...replies]) contracts.add(contract);
    }
  }
  if (contracts.size > 0) return { contracts: [...contracts], definitions: [...definitions.values()] };
  throw new RefusedInput(['no module exports a contract, or a definition that lists one']);
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

function isOfKind(value: unknown, kind: string): value is object {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
