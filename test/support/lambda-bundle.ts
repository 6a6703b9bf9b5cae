import type { BuildOptions } from 'esbuild';
import { repository } from './source-files.ts';

/** How the CDK bundles a function for Lambda, without the SDK, which Lambda has. Nothing is written. */
export const lambdaBundle = {
  absWorkingDir: repository,
  bundle: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  conditions: ['sagabox-source'],
  external: ['@aws-sdk/*'],
  legalComments: 'none',
  write: false,
} as const satisfies BuildOptions;
