import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

/**
 * Has each process of Jest compile a module once. Jest would compile it anew for each test file, which takes a tenth
 * of the time of a run.
 */
export function compileOnce(): void {
  // It keeps each test file's context, with all that the file loaded, and is of no use: no script is compiled twice.
  setFlagsFromString('--no-compilation-cache');
  // Node takes a process apart that ends by itself: with so many scripts, that takes a second. One that leaks has no end.
  process.once('beforeExit', () => process.exit());
  compileFunctionsOnce();
  compileModulesOnce();
}

interface Compiled {
  readonly source: string;
  readonly script: vm.Script;
}

/**
 * CommonJS modules, Jest's own among them. All test files run the same script, so that what V8 compiles of it later,
 * when a function is first called, is there for the next file, too.
 */
function compileFunctionsOnce(): void {
  const { compileFunction } = vm;
  const byFile = new Map<string, Compiled>();
  vm.compileFunction = (source, parameters = [], options = {}) => {
    const { parsingContext, filename } = options;
    if (parsingContext === undefined || filename === undefined)
      return compileFunction(source, parameters, options);
    const opening = `(function (${parameters.join(', ')}) {`;
    const known = byFile.get(filename + opening);
    if (known?.source === source) return known.script.runInContext(parsingContext);
    // Its imports would be those of the test file that it is compiled for.
    if (/\bimport\s*\(/.test(source)) return compileFunction(source, parameters, options);
    const script = new vm.Script(`${opening}${source}\n})`, { filename, columnOffset: -opening.length });
    byFile.set(filename + opening, { source, script });
    return script.runInContext(parsingContext);
  };
}

/** Modules of ECMAScript. */
function compileModulesOnce(): void {
  const { SourceTextModule } = vm;
  const modules = new Map<string, Buffer>();
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(source: string, options?: vm.SourceTextModuleOptions) {
      const cachedData = modules.get(source);
      super(source, cachedData ? { ...options, cachedData } : options);
      // It is missing from the types of Node.
      const { createCachedData } = this as unknown as vm.Script;
      if (!cachedData) modules.set(source, createCachedData.call(this));
    }
  };
}
