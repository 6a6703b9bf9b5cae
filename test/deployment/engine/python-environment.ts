import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MissingPrerequisite } from '../../support/command.ts';
import { runProgram } from './run-program.ts';

const deploymentDirectory = join(import.meta.dirname, '..');
const defaults = {
  directory: join(deploymentDirectory, '..', '..', '.python'),
  requirementsFile: join(deploymentDirectory, 'requirements.txt'),
  processEnvironment: process.env,
};
const oldestPython = [3, 10] as const;
const candidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const remedy =
  'install Python 3.10 or newer with its venv module (Debian: python3 and python3-venv), as the program python3';

export interface PythonEnvironment {
  readonly python: string;
  readonly ministackVersion: string;
}

/**
 * Of the emulator, made from the pinned requirements when it is not there yet, or was made from others.
 *
 * @throws MissingPrerequisite if there is no Python that can make it
 */
export async function pythonEnvironment(
  signal: AbortSignal,
  say: (line: string) => void,
  options: Partial<typeof defaults> = {},
): Promise<PythonEnvironment> {
  const { directory, requirementsFile, processEnvironment: environment } = { ...defaults, ...options };
  const requirements = await readFile(requirementsFile, 'utf8');
  const stamp = createHash('sha256').update(requirements).digest('hex');
  const stampFile = join(directory, 'requirements.sha256');
  const python = join(directory, 'bin', 'python');
  const made = await readFile(stampFile, 'utf8').catch(() => undefined);
  if (made !== stamp) {
    say('Making a Python environment for the emulator, once ...');
    const system = await systemPython(signal, environment);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    await runProgram(system, ['-m', 'venv', directory], { signal, environment }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new MissingPrerequisite(`Python has no working venv module: ${remedy}`, { cause: error });
    });
    // Python compiles what is imported, which is a part of what is installed.
    const install = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '--no-compile',
    ];
    await runProgram(python, [...install, '--requirement', requirementsFile], { signal, environment });
    await writeFile(stampFile, stamp);
  }
  return { python, ministackVersion: versionOf('ministack', requirements) };
}

async function systemPython(signal: AbortSignal, environment: NodeJS.ProcessEnv): Promise<string> {
  const check = `import sys; sys.exit(sys.version_info < (${oldestPython.join(', ')}))`;
  for (const candidate of candidates) {
    const fits = await runProgram(candidate, ['-c', check], { signal, environment }).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (fits) return candidate;
  }
  throw new MissingPrerequisite(
    `The emulator needs Python ${oldestPython.join('.')} or newer, and there is none: ${remedy}`,
  );
}

export function versionOf(name: string, requirements: string): string {
  const line = requirements.split('\n').find((text) => text.startsWith(`${name}==`));
  if (line === undefined) throw new Error(`The requirements do not pin ${name}`);
  return line.slice(name.length + 2).trim();
}
