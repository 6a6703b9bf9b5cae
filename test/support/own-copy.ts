import { compileFunction, constants } from 'node:vm';

/**
 * A module of `lib` that no other test file has: one whose state the test changes, or a second one in the process.
 * Node takes what follows the question mark for a part of the name of a module.
 */
export async function ownCopy<Module>(path: `lib/${string}.ts`): Promise<Module> {
  const load = compileFunction('return import(url)', ['url'], {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return await load(`${new URL(`../../${path}`, import.meta.url)}?copy=${process.hrtime.bigint()}`);
}
