import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

const deploymentDirectory = join(import.meta.dirname, '..');
const environmentDirectory = join(deploymentDirectory, '..', '..', '.python');
const requirementsFile = join(deploymentDirectory, 'requirements.txt');
const oldestPython = [3, 10] as const;
const candidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const remedy =
  'install Python 3.10 or newer with its venv module (Debian: python3 and python3-venv), as the program python3';

/** Of the emulator, made from the pinned requirements when it is not there yet, or was made from others. */
export async function pythonEnvironment(
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<{ readonly python: string; readonly version: string }> {
  const requirements = await readFile(requirementsFile, 'utf8');
  const stamp = createHash('sha256').update(requirements).digest('hex');
  const stampFile = join(environmentDirectory, 'requirements.sha256');
  const python = join(environmentDirectory, 'bin', 'python');
  const made = await readFile(stampFile, 'utf8').catch(() => undefined);
  if (made !== stamp) {
    say('Making a Python environment for the emulator, once ...');
    const system = await systemPython(signal);
    await rm(environmentDirectory, { recursive: true, force: true });
    await mkdir(environmentDirectory, { recursive: true });
    await runProgram(system, ['-m', 'venv', environmentDirectory], { signal }).catch((error: unknown) => {
      throw new Error(`Python has no working venv module: ${remedy}`, { cause: error });
    });
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    await runProgram(python, [...install, '--requirement', requirementsFile], { signal });
    await writeFile(stampFile, stamp);
  }
  return { python, version: versionOf('ministack', requirements) };
}

async function systemPython(signal: AbortSignal): Promise<string> {
  const check = `import sys; sys.exit(sys.version_info < (${oldestPython.join(', ')}))`;
  for (const candidate of candidates) {
    const fits = await runProgram(candidate, ['-c', check], { signal }).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (fits) return candidate;
  }
  throw new Error(
    `The emulator needs Python ${oldestPython.join('.')} or newer, and there is none: ${remedy}`,
  );
}

/** The version that the requirements pin. */
export function versionOf(name: string, requirements: string): string {
  const line = requirements.split('\n').find((text) => text.startsWith(`${name}==`));
  if (line === undefined) throw new Error(`The requirements do not pin ${name}`);
  return line.slice(name.length + 2).trim();
}
