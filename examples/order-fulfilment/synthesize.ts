import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const projectDirectory = join(import.meta.dirname, '..', '..');

/**
 * Writes the cloud assembly of the sample app, as `cdk synth` does.
 *
 * @throws Error with the output of the app when it fails.
 */
export async function synthesize(
  outputDirectory: string,
  settings: { outbox: boolean; locking: string },
  signal: AbortSignal,
): Promise<void> {
  const { context = {} } = JSON.parse(await readFile(join(projectDirectory, 'cdk.json'), 'utf8')) as {
    context?: Record<string, unknown>;
  };
  const app = spawn(process.execPath, ['--conditions=sagabox-source', join('bin', 'app.ts')], {
    cwd: projectDirectory,
    env: {
      ...process.env,
      CDK_OUTDIR: outputDirectory,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, outbox: settings.outbox, locking: settings.locking }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  for (const stream of [app.stdout, app.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const [exitCode] = (await once(app, 'close')) as [number | null];
  if (exitCode !== 0) throw new Error(`The sample app does not synthesize:\n${output}`);
}
