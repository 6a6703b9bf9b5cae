import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { withDocumentAddresses } from './packed-page.ts';
import { repository } from './repository.ts';

/** What is started by its address. It is in one folder with the entry points, where its callers look for it. */
const startedByAddress = {
  cli: 'bin/sagabox.ts',
  'relay-handler': 'lib/relay-handler.ts',
  'watcher-handler': 'lib/watcher-handler.ts',
  'instance-runtime': 'lib/local/lambda/instance-runtime.ts',
  'emulator-thread': 'lib/local/engines/sqs/emulator-thread.ts',
};

/**
 * Bundles the sources into few files that entry points share, as code to be read: not minified, with the path of
 * each source above its part. Packages stay imports.
 *
 * @param entryPoints sources by the name of the built file
 * @param homepage of the site that has the pages which messages and comments name
 */
export async function bundle(
  entryPoints: Readonly<Record<string, string>>,
  folder: string,
  homepage: string,
): Promise<void> {
  const addresses: Plugin = {
    name: 'document-addresses',
    renderChunk: (code) => withDocumentAddresses(code, homepage),
  };
  const [code] = await Promise.all([
    bundleCode(entryPoints, folder, addresses),
    bundleTypes(entryPoints, folder, addresses),
  ]);
  const foreign = code.output
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    .filter(isForeign);
  if (foreign.length > 0) throw new Error(`The bundle holds code of other packages: ${foreign.join(', ')}`);
}

async function bundleCode(
  entryPoints: Readonly<Record<string, string>>,
  folder: string,
  addresses: Plugin,
): Promise<RolldownOutput> {
  const build = await rolldown({
    cwd: repository,
    input: { ...entryPoints, ...startedByAddress },
    platform: 'node',
    external: isPackage,
    plugins: [addresses],
  });
  return await build.write({ dir: folder, format: 'es', chunkFileNames: '[name].js', comments: false });
}

/** The compiler declares each source; the bundle holds what the entry points reach. */
async function bundleTypes(
  entryPoints: Readonly<Record<string, string>>,
  folder: string,
  addresses: Plugin,
): Promise<void> {
  const declarations = await mkdtemp(join(tmpdir(), 'sagabox-declarations-'));
  try {
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    const options = ['-p', join(repository, 'tsconfig.build.json'), '--outDir', declarations];
    await promisify(execFile)(process.execPath, [compiler, ...options]);
    const build = await rolldown({
      // The path of each source above its part is relative to it.
      cwd: declarations,
      input: declarationsOf(entryPoints, declarations),
      // Its generator is not used: each input is declared already.
      plugins: [dts({ dtsInput: true, oxc: true, tsconfig: false }), addresses],
      external: isPackage,
    });
    await build.write({ dir: folder, format: 'es', chunkFileNames: '[name].d.ts' });
  } finally {
    await rm(declarations, { recursive: true, force: true });
  }
}

function declarationsOf(
  entryPoints: Readonly<Record<string, string>>,
  folder: string,
): Record<string, string> {
  const declared = Object.entries(entryPoints).map(([name, source]) => [
    name,
    join(folder, source.replace(/\.ts$/, '.d.ts')),
  ]);
  return Object.fromEntries(declared);
}

const isPackage = (id: string): boolean => !/^[./]/.test(id);
const isForeign = (module: string): boolean => module.includes('node_modules');
