import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { parsedJson } from '../../kernel/parsed-json.ts';
import {
  type CommandDefinition,
  type CommandIo,
  type CommandResult,
  RefusedInput,
  refusedConfiguration,
} from '../command.ts';
import { type ApiInfo, asyncApiDocument } from './async-api.ts';
import { type ContractUse, contractUses } from './contract-uses.ts';
import { linesOf, objectOf } from './listing.ts';
import { type LoadedModules, loadModules } from './load-modules.ts';
import { type ContractsValues, contractsArguments, contractsOptions } from './options.ts';
import { PayloadSchemas, standardJsonSchemas } from './payload-schemas.ts';

export const contractsCommand: CommandDefinition<ContractsValues> = {
  usage: '<module>... [--asyncapi] [options]',
  arguments: contractsArguments,
  options: contractsOptions,
  notes: `Without --asyncapi, lists the contracts, who takes and who sends their messages, and with --json their
JSON Schemas. The modules are run as Node loads them, without a client or a message.
A schema without a JSON Schema is told on stderr, and its message has no payload.`,
  run: runContracts,
};

export async function runContracts(values: ContractsValues, io: CommandIo): Promise<CommandResult> {
  if (!values.asyncapi) assertNoInfo(values);
  const modules = await loadModules(values.modules);
  // The default schemas of AsyncAPI are those of draft 07.
  const target = values.asyncapi ? 'draft-07' : 'draft-2020-12';
  const payloads = new PayloadSchemas(target, await standardJsonSchemas());
  const uses = usesOf(modules, payloads, values.published ?? []);
  const result = values.asyncapi
    ? asyncApiDocument(await apiInfo(values), uses, payloads)
    : objectOf(uses, payloads);
  if (values.asyncapi || values.json) for (const problem of payloads.problems) io.err(problem);
  return {
    json: () => result,
    // A document is for a file, and says what the modules do.
    lines: () => (values.asyncapi ? [{ own: stringify(result).trimEnd() }] : linesOf(uses)),
    failed: false,
  };
}

function usesOf(
  modules: LoadedModules,
  payloads: PayloadSchemas,
  published: readonly string[],
): ContractUse[] {
  try {
    return contractUses(modules, { areSame: (one, other) => payloads.areSame(one, other), published });
  } catch (error) {
    return refusedConfiguration(error);
  }
}

function assertNoInfo(values: ContractsValues): void {
  const given = (['title', 'apiVersion'] as const).filter((name) => values[name] !== undefined);
  if (given.length === 0) return;
  const options = { title: '--title', apiVersion: '--api-version' };
  throw new RefusedInput(given.map((name) => `${options[name]}: it has no effect without --asyncapi`));
}

async function apiInfo({ title, apiVersion }: ContractsValues): Promise<ApiInfo> {
  const text = await readFile('package.json', 'utf8').catch(() => '{}');
  const { name, version } = Object(parsedJson(text)) as Partial<Record<string, string>>;
  return { title: title ?? name ?? 'sagabox', version: apiVersion ?? version ?? '0.0.0' };
}
