// Runs before the scripts of package.json, on whatever Node there is: plain JavaScript, no imports of TypeScript.
//
//   node bin/check-prerequisites.js [--node-only] [FOLDER ...]
//
// With --node-only for those that start no engine. The folders are those whose packages the script needs.
// It ends with 2 if the machine lacks something, and with 1 if packages cannot be installed.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFolder } from './install-folder.js';

const MIN_NODE = [22, 18];
const MIN_JAVA = 17;

const repository = join(dirname(fileURLToPath(import.meta.url)), '..');
const platform = `${process.platform}-${process.arch}`;
const needsEngine = !process.argv.includes('--node-only');
const folders = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

endIf(nodeProblem(), 2);
endIf(packagesProblem(), 2);
if (needsEngine) {
  endIf(engineProblem(), 2);
  if (usesDynamoDBLocal()) folders.push('test/dynamodb-local');
}
for (const folder of folders) endIf(installFolder(repository, folder, commandOf(process.env)), 1);
if (folders.includes('test/dynamodb-local')) linkDynamoDBLocal();

function endIf(problem, exitCode) {
  if (problem === undefined) return;
  console.error(`sagabox: ${problem}`);
  process.exit(exitCode);
}

/** 'npm run bench' for what runs before the script `bench`. */
function commandOf({ npm_lifecycle_event: event = '' }) {
  const script = event.replace(/^pre/, '');
  return ['start', 'test'].includes(script) ? `npm ${script}` : `npm run ${script}`;
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

/** Without packages there is no embedded engine either, whatever the machine. */
function packagesProblem() {
  // npm writes it last.
  if (existsSync(join(repository, 'node_modules', '.package-lock.json'))) return undefined;
  return "Packages are missing: run 'npm ci' in the root of the repository.";
}

/**
 * Java is for DynamoDB Local, which runs only where the embedded engine has no binary, or where it is asked
 * for.
 */
function engineProblem() {
  if (usesDynamoDBLocal()) return javaProblem();
  const { SAGABOX_DYNAMODB_ENDPOINT: endpoint, SAGABOX_DYNAMODB_ENGINE: engine } = process.env;
  if (endpoint || engine !== 'dynoxide' || hasEmbeddedEngine()) return undefined;
  return `SAGABOX_DYNAMODB_ENGINE asks for dynoxide, which is not installed for ${platform}: run 'npm install --no-save dynoxide', or unset the variable.`;
}

function usesDynamoDBLocal() {
  const { SAGABOX_DYNAMODB_ENDPOINT: endpoint, SAGABOX_DYNAMODB_ENGINE: engine } = process.env;
  if (endpoint || engine === 'dynoxide') return false;
  return engine === 'dynamodb-local' || !hasEmbeddedEngine();
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

/** `sagabox/local` looks for it among the packages of the root, where its users install it. */
function linkDynamoDBLocal() {
  const name = 'amplify-dynamodb-simulator';
  const link = join(repository, 'node_modules', name);
  if (existsSync(link)) return;
  // One that leads nowhere any more.
  rmSync(link, { force: true });
  symlinkSync(join(repository, 'test', 'dynamodb-local', 'node_modules', name), link, 'junction');
}
