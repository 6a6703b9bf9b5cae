import { readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { startDynamoDB } from 'sagabox/local';
import type { BenchmarkRecord } from './record.ts';

const repository = join(import.meta.dirname, '../..');

/** What is measured, and what makes the engines, the bundles and the samples. */
const packages = [
  '@aws-lambda-powertools/batch',
  '@aws-lambda-powertools/idempotency',
  '@middy/core',
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-sqs',
  'fauxqs',
  'esbuild',
  'mitata',
] as const;

/** What a run that starts now measures on and with. */
export async function conditions(): Promise<Pick<BenchmarkRecord, 'date' | 'machine' | 'versions'>> {
  const engine = await startDynamoDB();
  await engine.stop();
  const ofRepository = manifestIn(repository);
  const installed = {
    ...ofRepository.devDependencies,
    ...manifestIn(join(repository, 'bench', 'packages')).devDependencies,
  };
  return {
    date: new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
    machine: thisMachine(),
    versions: {
      node: process.versions.node,
      sagabox: ofRepository.version,
      'DynamoDB engine': engine.name,
      ...Object.fromEntries(packages.map((name) => [name, installed[name] ?? 'unknown'])),
    },
  };
}

function thisMachine(): BenchmarkRecord['machine'] {
  const [major, minor] = release().split('.');
  return {
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 1024 ** 3),
    os: `${type()} ${major}.${minor}, ${arch()}`,
  };
}

function manifestIn(folder: string): { version: string; devDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
