// Runs before the scripts of package.json, on whatever Node there is: plain JavaScript, no imports of ours.
// With --node-only for those that start no engine.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const MINIMUM_NODE = [22, 18];
const MINIMUM_JAVA = 17;

const needsJava = !process.argv.includes('--node-only');

const problem = nodeProblem() ?? (needsJava ? javaProblem() : undefined);
if (problem !== undefined) {
  console.error(`sagabox: ${problem}`);
  process.exit(1);
}

/** npm puts the Node of the devDependency `node` first; where its install script did not run, the system's one is used in silence. */
function nodeProblem() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MINIMUM_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return undefined;
  return `Node ${process.versions.node} is too old, ${MINIMUM_NODE.join('.')} or newer is needed: run 'npm ci' again with install scripts allowed (it brings Node 24 along), or install Node 24.`;
}

function javaProblem() {
  if (process.env.SAGABOX_DYNAMODB_ENDPOINT) return undefined;
  const remedy =
    'install a Java runtime (Debian: default-jre-headless), or set SAGABOX_DYNAMODB_ENDPOINT to a DynamoDB engine that already runs.';
  const home = process.env.JAVA_HOME;
  const java = spawnSync(home ? join(home, 'bin', 'java') : 'java', ['-version'], { encoding: 'utf8' });
  if (java.error || java.status !== 0)
    return `DynamoDB Local needs Java ${MINIMUM_JAVA}, and there is none: ${remedy}`;
  const version = Number(/version "(\d+)/.exec(java.stderr)?.[1] ?? 0);
  if (version >= MINIMUM_JAVA) return undefined;
  return `DynamoDB Local needs Java ${MINIMUM_JAVA}, and this is Java ${version}: ${remedy}`;
}
