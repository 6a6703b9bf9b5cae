import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';
import { compileOnce } from './compile-once.ts';

compileOnce();

declare global {
  /** Requires a module outside of the context of the test file. */
  var loadOnce: NodeJS.Require;
}

/** Jest's own for Node, in which `load-once.ts` finds what loads a module outside of the test file's context. */
export default class extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args);
    Object.assign(this.global, { loadOnce: createRequire(import.meta.url) });
  }
}
