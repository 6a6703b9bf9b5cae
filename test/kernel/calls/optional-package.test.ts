import { describe, expect, it } from '@jest/globals';
import { loadOptionalPackage, rethrow } from '../../../lib/kernel/calls/optional-package.ts';
import { codeOf, errorOf, sagaboxErrorOf } from '../../support/error-of.ts';

// Not written into the import: a package that is not there is to be imported.
const missing = 'sagabox-has-no-such-peer';

function notFound(code: string, message: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(message), { code }));
}

describe('an optional package', () => {
  it('is loaded when it is there', async () => {
    const loaded = await loadOptionalPackage('node:path', 'a test', () => import('node:path'));
    expect(loaded.posix.join('a', 'b')).toBe('a/b');
  });

  it('that is not installed is Configuration, with its purpose and the command that installs it', async () => {
    const error = await sagaboxErrorOf(loadOptionalPackage(missing, 'sending', () => import(missing)));
    expect(error.code).toBe('Configuration');
    expect(error.message).toBe(
      `${missing}: sending needs this optional peer dependency, which is not installed. Run 'npm install ${missing}'.`,
    );
    expect(error.cause).toHaveProperty('code', expect.stringContaining('MODULE_NOT_FOUND'));
  });

  it.each([
    ['import', 'ERR_MODULE_NOT_FOUND', "Cannot find package 'peer' imported from /var/task/index.mjs"],
    [
      'bundled require',
      'MODULE_NOT_FOUND',
      "Cannot find module 'peer'\nRequire stack:\n- /var/task/index.js",
    ],
  ])('is missing by an %s', async (_name, code, message) => {
    expect(await codeOf(loadOptionalPackage('peer', 'sending', notFound(code, message)))).toBe(
      'Configuration',
    );
  });

  it('fails as it does when it is there, and names itself in its own error', async () => {
    const load = notFound('ERR_INVALID_PACKAGE_CONFIG', "Cannot read 'peer'");
    expect(await errorOf(loadOptionalPackage('peer', 'sending', load))).toHaveProperty(
      'message',
      "Cannot read 'peer'",
    );
  });

  it('is caught for the bundler, and fails all the same', async () => {
    const error = new Error('not there');
    expect(await errorOf(Promise.reject(error).catch(rethrow))).toBe(error);
  });

  it('is not missing when a package is that it needs itself', async () => {
    const message = "Cannot find package 'needed' imported from /var/task/node_modules/peer/index.js";
    const load = notFound('ERR_MODULE_NOT_FOUND', message);
    expect(await errorOf(loadOptionalPackage('peer', 'sending', load))).toHaveProperty('message', message);
  });
});
