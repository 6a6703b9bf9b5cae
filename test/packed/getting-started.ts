import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { blocksIn } from '../support/page-blocks.ts';
import { repository } from '../support/source-files.ts';
import { withFolder } from '../support/with-folder.ts';
import type { Check } from './checks.ts';
import { execute, installedPath } from './projects.ts';
import { RunningApp } from './running-app.ts';

const page = join(repository, 'docs/guide/getting-started.md');

/**
 * Follows the guide in a folder that was empty: writes its files, and runs its commands, in its order. What it
 * installs are the packages of this repository in their versions, and what it deploys runs on this machine.
 */
export function gettingStarted(installedPackage: string): Check {
  return {
    name: 'the guide "Getting started", from an empty folder to a message that is handled once',
    run: () => withFolder('sagabox-guide-', (folder) => follow(new Project(folder, installedPackage))),
  };
}

async function follow(project: Project): Promise<void> {
  const blocks = blocksIn(await readFile(page, 'utf8'));
  try {
    for (const block of blocks) {
      if (block.kind === 'file') await project.write(block.name, block.content);
      else for (const command of block.commands) await project.run(command);
    }
    await project.stopApp();
  } finally {
    project.kill();
  }
  assert.deepEqual(project.notRun, [
    'npx cdk bootstrap',
    'npx cdk deploy --require-approval never --outputs-file outputs.json',
    'npx cdk destroy',
  ]);
}

class Project {
  readonly notRun: string[] = [];
  readonly #folder: string;
  readonly #installedPackage: string;
  readonly #environment: NodeJS.ProcessEnv;
  #app: RunningApp | undefined;

  constructor(folder: string, installedPackage: string) {
    this.#folder = folder;
    this.#installedPackage = installedPackage;
    const binaries = [join(folder, 'node_modules/.bin'), dirname(process.execPath)];
    this.#environment = {
      ...process.env,
      PATH: [...binaries, process.env.PATH].join(delimiter),
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    };
  }

  async write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(this.#folder, name)), { recursive: true });
    await writeFile(join(this.#folder, name), content, { flag: 'wx' });
  }

  async run(command: string): Promise<void> {
    if (command.startsWith('npm install ')) return await this.#install(command);
    if (/^npx cdk (bootstrap|deploy|destroy)/.test(command)) return void this.notRun.push(command);
    if (command.includes('npx sagabox local')) return await this.#startApp(command);
    if (command.startsWith('npx sagabox show')) return await this.#show(command);
    if (command.includes('node send.ts')) return await this.#send(command);
    await this.#shell(command);
  }

  async stopApp(): Promise<void> {
    assert(this.#app, 'The guide starts no app');
    const lines = await this.#app.stop();
    // One for each of the two messages that were both sent twice.
    assert.equal(lines.filter((line) => line.includes('The order is paid')).length, 2, lines.join('\n'));
    assert.match(lines.at(-1) ?? '', /^Stopped: \d+ handled, 0 failed/);
  }

  kill(): void {
    this.#app?.kill();
  }

  async #install(command: string): Promise<void> {
    const names = command
      .split(' ')
      .slice(2)
      .filter((word) => !word.startsWith('-'));
    for (const name of names.map((word) => word.replace(/(?<=.)@.*$/, ''))) await this.#add(name);
    // npm writes one, and esbuild's bundles begin at it.
    await writeFile(join(this.#folder, 'package-lock.json'), '{}');
  }

  async #add(name: string): Promise<void> {
    // An engine is there on its own platform only.
    if (name.startsWith('@dynoxide/') && !existsSync(join(repository, 'node_modules', name))) return;
    const source = name === 'sagabox' ? this.#installedPackage : installedPath(name);
    const target = join(this.#folder, 'node_modules', name);
    await mkdir(dirname(target), { recursive: true });
    if (name === 'sagabox') {
      await cp(source, target, { recursive: true });
      const { dependencies } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
      for (const dependency of Object.keys(dependencies)) await this.#add(dependency);
    } else {
      await symlink(source, target);
    }
    await this.#linkPrograms(target, source);
  }

  async #linkPrograms(target: string, source: string): Promise<void> {
    const { name, bin = {} } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
    const programs = Object.entries<string>(typeof bin === 'string' ? { [name]: bin } : bin);
    const folder = join(this.#folder, 'node_modules/.bin');
    await mkdir(folder, { recursive: true });
    for (const [program, path] of programs) await symlink(join(target, path), join(folder, program));
  }

  async #startApp(command: string): Promise<void> {
    this.#app = new RunningApp(command, this.#folder, this.#environment);
    await this.#app.lineWith('The order is paid');
  }

  /** To the app that runs here, as if it was deployed. */
  async #send(command: string): Promise<void> {
    const app = this.#app;
    assert(app, 'The guide starts no app before it sends to it');
    const queueUrl = app.find(/^ {2}OrdersQueueUrl +(\S+)$/);
    await writeFile(
      join(this.#folder, 'outputs.json'),
      JSON.stringify({ Shop: { OrdersQueueUrl: queueUrl } }),
    );
    const isPaid = app.lineWith('The order is paid', 2);
    await this.#shell(command, app.variables);
    await isPaid;
  }

  async #show(command: string): Promise<void> {
    // It exits with 1, as the saga has completed.
    const { stdout, stderr } = await this.#shell(`${command} || true`, this.#app?.variables);
    assert.match(stdout, /There is no 'OrderSaga' saga with id '7'/, stderr);
    assert.match(stdout, /^recent records of the endpoint 'orders': 4/m);
  }

  #shell(command: string, variables: NodeJS.ProcessEnv = {}) {
    const env = { ...this.#environment, ...variables };
    return execute('bash', ['-euo', 'pipefail', '-c', command], { cwd: this.#folder, env });
  }
}
