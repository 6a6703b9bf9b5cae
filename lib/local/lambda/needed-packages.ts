import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError } from '../../kernel/errors/errors.ts';
import type { Destination } from '../../messages/destinations/destination.ts';
import { endpointSetting } from '../../settings/endpoint.ts';
import { relaySetting } from '../../settings/relay.ts';
import { claimCheckSetting, destinationsSetting, schedulerSetting } from '../../settings/sending.ts';
import { decoded, type Environment } from '../../settings/setting.ts';
import { localIdentity } from '../app/identity.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { isProvided } from './provided-packages.ts';

interface NeededPackage {
  readonly packageName: string;
  readonly purpose: string;
  readonly isNeeded: (environment: Environment) => boolean;
}

const sendsTo = (kind: Destination['kind']) => (environment: Environment) => {
  const destinations = decoded(destinationsSetting, environment) ?? new Map<string, Destination>();
  return [...destinations.values()].some((destination) => destination.kind === kind);
};

/** Clients that the runtime loads when it first needs them only. */
const needed: readonly NeededPackage[] = [
  {
    packageName: '@aws-sdk/client-scheduler',
    purpose: 'the schedules',
    isNeeded: (environment) => schedulerSetting.variable in environment,
  },
  {
    packageName: '@aws-sdk/client-s3',
    purpose: 'the claim check',
    isNeeded: (environment) => claimCheckSetting.variable in environment,
  },
  {
    packageName: '@aws-sdk/client-lambda',
    purpose: 'the mappings that the relay looks after',
    isNeeded: (environment) => decoded(relaySetting, environment)?.watched !== undefined,
  },
  { packageName: '@aws-sdk/client-sns', purpose: 'the topics', isNeeded: sendsTo('topic') },
  { packageName: '@aws-sdk/client-eventbridge', purpose: 'the event buses', isNeeded: sendsTo('eventBus') },
];

/**
 * The Lambda runtime has all clients of the SDK; here they are optional peer dependencies, and a function that does
 * not find one fails its messages after each retry.
 *
 * @throws SagaboxError `Configuration` that names all that are missing, and whose they are
 */
export function assertNeededPackages(
  functions: readonly FunctionDefinition[],
  isInstalled: (packageName: string) => boolean = isProvided,
): void {
  const missing = needed
    .filter(({ packageName }) => !isInstalled(packageName))
    .map((one) => ({ ...one, endpoints: endpointsThatNeed(one, functions) }))
    .filter(({ endpoints }) => endpoints.length > 0);
  if (missing.length === 0) return;
  const parts = missing.map(
    ({ packageName, purpose, endpoints }) => `${packageName} for ${purpose} of ${endpoints.join(', ')}`,
  );
  throw configurationError(
    'the functions of the app',
    `they need optional peer dependencies that are not installed: ${parts.join('; ')}`,
    `Run 'npm install ${missing.map(({ packageName }) => packageName).join(' ')}'`,
  );
}

function endpointsThatNeed(
  { packageName, isNeeded }: NeededPackage,
  functions: readonly FunctionDefinition[],
): string[] {
  const names = functions
    .filter(
      ({ environment, assetDirectory }) =>
        isNeeded({ AWS_REGION: localIdentity.region, ...environment }) &&
        imports(assetDirectory, packageName),
    )
    .map(({ name, environment }) => `'${environment[endpointSetting.variable] ?? name}'`);
  return [...new Set(names)];
}

/**
 * A bundle may hold the SDK itself: then it imports none, or has the package beside it. One that a synth has not
 * written is refused elsewhere.
 */
function imports(assetDirectory: string, packageName: string): boolean {
  if (existsSync(join(assetDirectory, 'node_modules', packageName))) return false;
  const imported = new RegExp(`\\b(?:import|require|from)\\s*(?:\\(\\s*)?["']${packageName}["']`);
  return codeFiles(assetDirectory).some((file) => imported.test(readFileSync(file, 'utf8')));
}

function codeFiles(directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : codeFiles(path);
    return entry.isFile() && /\.[cm]?js$/.test(entry.name) ? [path] : [];
  });
}
