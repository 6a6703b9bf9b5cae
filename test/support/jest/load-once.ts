import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

declare global {
  /** Loads a module by Node, in place of Jest; `environment.ts` gives it to test files, when Jest has loaded its own packages. */
  var loadOnce: NodeJS.Require | undefined;
}

const require = createRequire(import.meta.url);

/** How Jest loads the file that it asks for. */
interface TransformOptions {
  readonly supportsStaticESM: boolean;
}

/**
 * A transform for modules that test files share: Node loads them once for each process of Jest, which would load them
 * anew for each test file.
 */
export default {
  process: (source: string, path: string, options: TransformOptions) => ({
    code: globalThis.loadOnce ? codeFor(path, options) : source,
  }),

  // The names follow from more files than the one that is transformed.
  getCacheKey(_source: string, path: string, options: TransformOptions) {
    const code = globalThis.loadOnce ? codeFor(path, options) : path;
    return createHash('sha256').update(code).digest('hex');
  },
};

function codeFor(path: string, { supportsStaticESM }: TransformOptions): string {
  const load = `globalThis.loadOnce(${JSON.stringify(path)})`;
  if (!supportsStaticESM) return `module.exports = ${load};`;
  const names = Object.keys(require(path));
  return `const loaded = ${load};\n${names.map((name, index) => exported(name, `_${index}`)).join('\n')}`;
}

function exported(name: string, local: string): string {
  return `const ${local} = loaded[${JSON.stringify(name)}];\nexport { ${local} as ${JSON.stringify(name)} };`;
}
