import vm from 'node:vm';

/** What Jest is given as the context of a test file; it stands for the one of the process. */
export const oneContext = vm.createContext();

/**
 * Has Jest load modules into the context of its process. It makes a context for each test file, in which it compiles
 * and runs all modules anew, its own too: that takes half of the time of a run.
 */
export function loadIntoOneContext(): void {
  compileFunctionsOnce();
  const { SourceTextModule, SyntheticModule, Script } = vm;
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(source: string, options?: vm.SourceTextModuleOptions) {
      super(source, ofThisContext(options));
    }
  };
  vm.SyntheticModule = class extends SyntheticModule {
    constructor(names: string[], evaluate: () => void, options?: vm.SyntheticModuleOptions) {
      super(names, evaluate, ofThisContext(options));
    }
  };
  const { runInContext } = Script.prototype;
  Script.prototype.runInContext = function (context, options) {
    if (context === oneContext) return this.runInThisContext(options as vm.RunningScriptOptions);
    return runInContext.call(this, context, options);
  };
}

function ofThisContext<Options extends { context?: vm.Context | undefined }>(options?: Options) {
  if (options?.context !== oneContext) return options;
  const { context: _context, ...others } = options;
  return others;
}

/** CommonJS modules, Jest's own among them, are one script for all test files. */
function compileFunctionsOnce(): void {
  const { compileFunction } = vm;
  const scripts = new Map<string, vm.Script>();
  vm.compileFunction = (source, parameters = [], options = {}) => {
    const { parsingContext, ...others } = options;
    if (parsingContext !== oneContext) return compileFunction(source, parameters, options);
    // Its imports would be those of the test file that it is compiled for.
    if (/\bimport\s*\(/.test(source)) return compileFunction(source, parameters, others);
    const opening = `(function (${parameters.join(', ')}) {`;
    const code = `${opening}${source}\n})`;
    const script =
      scripts.get(code) ?? new vm.Script(code, { filename: others.filename, columnOffset: -opening.length });
    scripts.set(code, script);
    return script.runInThisContext();
  };
}
