// Runs before the scripts of package.json, on whatever Node there is: plain JavaScript, no imports of ours.
// With --node-only for those that start no engine.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const MIN_NODE = [22, 18];
const MIN_JAVA = 17;

const platform = `${process.platform}-${process.arch}`;
const needsEngine = !process.argv.includes('--node-only');

const problem = nodeProblem() ?? (needsEngine ? engineProblem() : undefined);
if (problem !== undefined) {
  console.error(`sagabox: ${problem}`);
  process.exit(1);
}

/**
 * npm puts the Node of the devDependency `node` first; where its install script did not run, the system's one
 * is used in silence.
 */
function nodeProblem() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MIN_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return undefined;
  return `Node ${process.versions.node} is too old, ${MIN_NODE.join('.')} or newer is needed: run 'npm ci' again with install scripts allowed (it brings Node 24 along), or install Node 24.`;
}

/**
 * Java is for DynamoDB Local, which runs only where the embedded engine has no binary, or where it is asked
 * for.
 */
function engineProblem() {
  const { SAGABOX_DYNAMODB_ENDPOINT: endpoint, SAGABOX_DYNAMODB_ENGINE: engine } = process.env;
  if (endpoint || (engine !== 'dynamodb-local' && hasEmbeddedEngine())) return undefined;
  if (engine === 'dynoxide')
    return `SAGABOX_DYNAMODB_ENGINE asks for dynoxide, which is not installed for ${platform}: run 'npm install --no-save dynoxide', or unset the variable.`;
  return javaProblem();
}

function hasEmbeddedEngine() {
  try {
    createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`);
    return true;
  } catch {
    return false;
  }
}

function javaProblem() {
  const remedy =
    "install a Java runtime (Debian: default-jre-headless), run 'npm install --no-save dynoxide' for an engine without Java, or set SAGABOX_DYNAMODB_ENDPOINT to a DynamoDB engine that already runs.";
  const home = process.env.JAVA_HOME;
  const java = spawnSync(home ? join(home, 'bin', 'java') : 'java', ['-version'], { encoding: 'utf8' });
  if (java.error || java.status !== 0)
    return `DynamoDB Local needs Java ${MIN_JAVA}, and there is none: ${remedy}`;
  const version = Number(/version "(\d+)/.exec(java.stderr)?.[1] ?? 0);
  if (version >= MIN_JAVA) return undefined;
  return `DynamoDB Local needs Java ${MIN_JAVA}, and this is Java ${version}: ${remedy}`;
}
