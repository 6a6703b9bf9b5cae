import { dirname, join } from 'node:path';
import { findInstalledFile } from './installed-file.ts';
import type { EngineProblem, EngineProgram, EngineSource } from './program.ts';

/**
 * Each has a package of its own with one static binary; the package `dynoxide` brings the one of the platform
 * along. There is one for Windows too, but nothing here can start a program there: see launch-engine.ts.
 */
const platforms: readonly string[] = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
const platform = `${process.platform}-${process.arch}`;

/** An engine whose answers and units were compared with DynamoDB's own. It keeps everything in memory. */
export const dynoxide: EngineSource = {
  name: 'dynoxide',
  wayToGet: platforms.includes(platform) ? `run '${installCommand(platform)}'` : undefined,
  find: () => findDynoxide(platform),
};

/** @param wanted for example `linux-x64` */
export function findDynoxide(wanted: string): EngineProgram | EngineProblem {
  if (!platforms.includes(wanted)) {
    return { problem: `dynoxide has no binary for ${wanted}`, remedy: 'Use another engine' };
  }
  const packageName = `@dynoxide/${wanted}`;
  const packageFile = findInstalledFile(packageName, 'package.json', 'dynoxide');
  if (packageFile === undefined) {
    const problem = `the package ${packageName} is not installed`;
    return { problem, remedy: `Run '${installCommand(wanted)}'` };
  }
  return {
    label: 'dynoxide',
    command: join(dirname(packageFile), 'dynoxide'),
    argumentsFor: (port) => ['serve', '--host', '127.0.0.1', '--port', String(port)],
    explain: (output) => explainDynoxide(wanted, output),
    isBehindProxy: false,
  };
}

/** Recognizes what a shell says of a binary of another platform, as copied `node_modules` may hold. */
export function explainDynoxide(wanted: string, output: string): EngineProblem | undefined {
  if (!/exec format error|cannot execute|permission denied|not found/i.test(output)) return undefined;
  return {
    problem: `the binary of @dynoxide/${wanted} does not run on this machine`,
    remedy: "Install the packages anew on this machine ('npm ci')",
  };
}

function installCommand(wanted: string): string {
  return `npm install --save-dev @dynoxide/${wanted}`;
}
