import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../deployment/engine/run-program.ts';
import { MissingPrerequisite } from '../support/command.ts';

const directory = join(import.meta.dirname, '..', '..', '.ric');
const lockDirectory = join(import.meta.dirname, 'client');
const packageDirectory = join(directory, 'node_modules', 'aws-lambda-ric');
const files = ['package.json', 'package-lock.json'] as const;
/** Its install compiles curl and aws-lambda-cpp; Python is for node-gyp. */
const programs = ['cmake', 'make', 'cc', 'c++', 'tar', 'xz', 'python3'] as const;
const headers = ['/usr', '/usr/local'] as const;

export interface RuntimeInterfaceClient {
  /** Path of its program. */
  readonly program: string;
  readonly version: string;
}

/**
 * Lambda's own runtime interface client for Node, compiled when it is not there yet, or was made from another
 * version. It is no dependency of the repository: compiling it takes a minute, and fails without a compiler.
 *
 * @throws MissingPrerequisite if this machine cannot compile it
 */
export async function runtimeInterfaceClient(
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<RuntimeInterfaceClient> {
  const contents = await Promise.all(files.map((file) => readFile(join(lockDirectory, file), 'utf8')));
  const stamp = createHash('sha256').update(contents.join()).digest('hex');
  const stampFile = join(directory, 'lock.sha256');
  const { dependencies } = JSON.parse(contents[0] ?? '');
  const version: string = dependencies['aws-lambda-ric'];
  if ((await readFile(stampFile, 'utf8').catch(() => undefined)) !== stamp) {
    await assertCompilers(signal);
    say(`Compiling aws-lambda-ric ${version} from the package registry, once; this takes a minute ...`);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    for (const file of files) await cp(join(lockDirectory, file), join(directory, file));
    const install = ['ci', '--no-audit', '--no-fund', '--foreground-scripts'];
    await runProgram('npm', install, { signal, workingDirectory: directory, environment: withHeaders() });
    await writeFile(stampFile, stamp);
  }
  if (!existsSync(join(packageDirectory, 'rapid-client.node')))
    throw new Error(
      `${packageDirectory} has no compiled client: remove .ric, and let npm run install scripts`,
    );
  return { program: join(packageDirectory, 'index.mjs'), version };
}

/** @throws MissingPrerequisite that tells what to install */
export async function assertCompilers(signal: AbortSignal, environment = process.env): Promise<void> {
  if (process.platform !== 'linux')
    throw new MissingPrerequisite(`aws-lambda-ric compiles on Linux only, and this is ${process.platform}`);
  const missing: string[] = [];
  for (const program of programs) {
    await runProgram(program, ['--version'], { signal, environment }).catch(() => missing.push(program));
  }
  signal.throwIfAborted();
  if (missing.length > 0)
    throw new MissingPrerequisite(
      `aws-lambda-ric needs ${missing.join(', ')}, which this machine does not have. ` +
        'Debian: apt-get install build-essential cmake xz-utils python3',
    );
}

/** node-gyp downloads the headers of Node where it is not told of installed ones. */
function withHeaders(): NodeJS.ProcessEnv {
  const nodedir =
    process.env.npm_config_nodedir ??
    headers.find((prefix) => existsSync(join(prefix, 'include', 'node', 'node_api.h')));
  return { ...process.env, ...(nodedir !== undefined && { npm_config_nodedir: nodedir }) };
}
