import { readSources, repository } from '../../test/support/source-files.ts';
import { mapNames } from '../benchmark/in-turns.ts';
import { measureBundle } from './bundle.ts';
import { changes, filesNaming } from './changes.ts';
import { loneImports, repeatedNames } from './importers.ts';
import { installedBelow } from './installed.ts';
import { type Lines, linesByFolder, linesOf, sumOf } from './lines.ts';
import { measurePages } from './pages.ts';
import { sharedState } from './shared-state.ts';
import { syntaxOf } from './syntax.ts';
import { timeOf } from './test-run.ts';
import { measureWarmPath } from './warm-path.ts';

export type House = Awaited<ReturnType<typeof measureHouse>>;

export async function measureHouse(
  { test }: { readonly test: boolean },
  signal: AbortSignal,
  progress: (line: string) => void,
) {
  progress('Reading lib ...');
  const sources = measureSources();
  const pages = measurePages();
  progress('Passing a message and a request on engines ...');
  const warmPath = await measureWarmPath(signal);
  progress('Bundling a function, and loading it in fresh processes ...');
  const bundle = await measureBundle(signal);
  progress('Measuring node_modules ...');
  const installed = await installedBelow(repository);
  if (test) progress('Running npm test ...');
  const testRun = test ? await timeOf('npm test', signal) : undefined;
  return { ...sources, pages, warmPath, bundle, installed, testRun };
}

function measureSources() {
  const sources = readSources('lib');
  const nodes = new Map(sources.map(({ path, text }) => [path, syntaxOf(text)]));
  const lines = new Map<string, Lines>(
    sources.map(({ path, text }) => [path, linesOf(text, nodes.get(path) ?? [])]),
  );
  const names = Object.keys(changes) as (keyof typeof changes)[];
  return {
    lines: sumOf([...lines.values()]),
    folders: linesByFolder(lines, 2),
    subfolders: linesByFolder(lines, 3),
    changes: mapNames(names, (change) => filesNaming(changes[change], sources)),
    sharedState: sharedState(nodes),
    loneImports: loneImports(sources),
    repeatedNames: repeatedNames(sources.map(({ path }) => path)),
  };
}
