import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../engine/run-program.ts';

const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** The apps of the repository that can be synthesized, from its root. */
export const apps = {
  sample: join('bin', 'app.ts'),
  proof: join('test', 'deployment', 'app', 'app.ts'),
  canary: join('examples', 'canary', 'app.ts'),
  twoStacks: join('examples', 'two-stacks', 'app.ts'),
  orderJourney: join('test', 'acceptance', 'order-journey', 'app.ts'),
} as const;

/** The context of a synth that bundles no function: four fifths of its time. */
export const withoutBundles = { 'aws:cdk:bundling-stacks': [] } as const;

/**
 * Writes the cloud assembly of an app, with its functions bundled. The CDK's own validation of templates is left out, as it takes
 * seconds: `npx cdk synth` has it, and test/constructs/template-validation.proof.ts.
 */
export async function synthesize(
  app: string,
  outputDirectory: string,
  signal: AbortSignal,
  own: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { context } = JSON.parse(await readFile(join(projectDirectory, 'cdk.json'), 'utf8')) as {
    context: Record<string, unknown>;
  };
  await runProgram(process.execPath, ['--conditions=sagabox-source', app], {
    signal,
    workingDirectory: projectDirectory,
    environment: {
      ...process.env,
      CDK_OUTDIR: outputDirectory,
      CDK_VALIDATION: 'false',
      // The paths of constructs, which the CDK's command line asks for too.
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:enable-path-metadata': true, ...own }),
    },
  });
}
