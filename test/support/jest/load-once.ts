/**
 * A transform for packages that are loaded once by each process of Jest. It would load them anew for each test
 * file, which takes a second for the CDK, in a hundred files.
 */
export default {
  process: (_source: string, file: string) => ({
    code: `module.exports = globalThis.loadOnce(${JSON.stringify(file)});`,
  }),
};
