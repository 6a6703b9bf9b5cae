import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strykerPlugins as jestPlugins, strykerValidationSchema } from '@stryker-mutator/jest-runner';
import { coveringFiles, type TestOfFile } from './covering-files.ts';

/** What Stryker asks of a test runner, as far as it matters here. */
interface TestRunner {
  init(): Promise<void>;
  capabilities(): unknown;
  dryRun(options: unknown): Promise<{ tests?: { id: string; fileName: string }[] }>;
  mutantRun(options: MutantRun): Promise<MutantResult>;
}

interface MutantRun {
  /**
   * The tests that reach the mutant; nothing when it acts while its module loads: then those of its folder
   * are meant.
   */
  readonly testFilter?: readonly string[];
  /** With the mutant, in the sandbox. */
  readonly sandboxFileName: string;
}

type MutantResult =
  | { status: 'survived'; nrOfTests: number }
  | { status: 'killed'; nrOfTests: number; killedBy: readonly string[]; failureMessage: string }
  | { status: 'error'; errorMessage: string }
  | { status: 'timeout' };

interface JestTestRunner extends TestRunner {
  jestConfig: Record<string, unknown>;
}

interface Injector {
  injectFunction(factory: unknown): JestTestRunner;
}

const [jestPlugin] = jestPlugins;

/** A test that hangs so long, in milliseconds, has noticed its mutant. Without one, it has the time of every test. */
const testTimeout = 5000;

/** In the sandbox, which all test runners of a run share: only one of them does the first run. */
const filesOfTests = (): string => join(process.cwd(), 'files-of-tests.json');

/**
 * Runs for each mutant only the test files whose tests reach it, one by one until one of them fails.
 * Stryker's own runner for Jest names the tests alone, so that Jest loads every file to find them.
 */
class CoveringFilesRunner implements TestRunner {
  readonly #jest: JestTestRunner;
  #everyFile: Record<string, unknown> = {};

  constructor(jest: JestTestRunner) {
    this.#jest = jest;
  }

  async init(): Promise<void> {
    await this.#jest.init();
    this.#everyFile = this.#jest.jestConfig;
  }

  capabilities(): unknown {
    return this.#jest.capabilities();
  }

  async dryRun(options: unknown) {
    const result = await this.#jest.dryRun(options);
    const files = (result.tests ?? []).map(({ id, fileName }) => [id, fileName]);
    writeFileSync(filesOfTests(), JSON.stringify(files));
    return result;
  }

  async mutantRun(options: MutantRun): Promise<MutantResult> {
    let nrOfTests = 0;
    let error: MutantResult | undefined;
    const everyTest = JSON.parse(readFileSync(filesOfTests(), 'utf8')) as TestOfFile[];
    const reached = { mutatedFile: options.sandboxFileName, tests: options.testFilter };
    for (const [file, tests] of coveringFiles(reached, everyTest, process.cwd())) {
      this.#jest.jestConfig = { ...this.#everyFile, testMatch: [file], testTimeout };
      const result = await this.#jest.mutantRun(
        options.testFilter ? { ...options, testFilter: tests } : options,
      );
      // Not by itself the mutant's doing: only a test that fails has noticed it.
      if (result.status === 'error') error = result;
      else if (result.status !== 'survived') return result;
      else nrOfTests += result.nrOfTests;
    }
    return error ?? { status: 'survived', nrOfTests };
  }
}

function coveringFilesRunner(injector: Injector): TestRunner {
  return new CoveringFilesRunner(injector.injectFunction(jestPlugin?.factory));
}
coveringFilesRunner.inject = ['$injector'];

export const strykerPlugins = [{ ...jestPlugin, name: 'covering-files', factory: coveringFilesRunner }];
export { strykerValidationSchema };
