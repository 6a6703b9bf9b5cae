import { createRequire } from 'node:module';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { loadIntoOneContext, oneContext } from './one-context.ts';

loadIntoOneContext();

type ProjectConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

/**
 * The process itself: test files share its globals and what `load-once.ts` loads. What they change of the process is
 * undone.
 */
export default class Environment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #exportConditions: string[];
  readonly #before = {
    state: stateOfProcess(),
    variables: { ...process.env },
    listeners: listeners(),
    console,
  };

  constructor({ projectConfig }: { readonly projectConfig: ProjectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#exportConditions = projectConfig.testEnvironmentOptions.customExportConditions as string[];
  }

  exportConditions(): string[] {
    return this.#exportConditions;
  }

  getVmContext() {
    return oneContext;
  }

  async setup(): Promise<void> {
    // By now, Jest has loaded its own packages, which it transforms like those of a test file.
    globalThis.loadOnce = createRequire(import.meta.url);
    // Jest's maps each frame of each stack to a source; here each line is where its source has it.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
  }

  async teardown(): Promise<void> {
    globalThis.loadOnce = undefined;
    this.fakeTimersModern.dispose();
    forgetTestFramework();
    const { state, variables, listeners: kept, console } = this.#before;
    Object.assign(process, state);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    for (const [event, listener] of listeners()) {
      if (!kept.some(([, known]) => known === listener)) process.removeListener(event, listener);
    }
    globalThis.console = console;
  }
}

/** Jest and packages wrap some of these, once more for each test file. */
function stateOfProcess() {
  const { env, exit, cwd, chdir, getBuiltinModule } = process;
  return { env, exit, cwd, chdir, getBuiltinModule };
}

function listeners() {
  return process.eventNames().flatMap((event) =>
    // Without what `once` wraps around them: by them they are removed.
    process.listeners(event as 'exit').map((listener) => [event as string, listener] as const),
  );
}

/** Symbols by which Jest's test framework finds its state, and what a test file has set of it, in the globals. */
const stateOfTestFramework = new Set<string | undefined>([
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
]);

/** It would add to what it finds, and keep all that the test files before have loaded. */
function forgetTestFramework(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (stateOfTestFramework.has(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
  }
}
