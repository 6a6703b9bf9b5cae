import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  filesIn,
  importedFile,
  importedPackage,
  importsOf,
  isOfNode,
  readSources,
  repository,
  type SourceFile,
} from './support/source-files.ts';

interface Folder {
  /** The folders of ours that it may import; its own files are always allowed. */
  readonly imports: readonly string[];
  readonly packages?: readonly string[];
  /** Packages of which only types are taken. */
  readonly types?: readonly string[];
  /** Modules of Node; any when absent. */
  readonly node?: readonly string[];
}

const dynamoDB = '@aws-sdk/client-dynamodb';
const sqs = '@aws-sdk/client-sqs';
const optional = {
  sns: '@aws-sdk/client-sns',
  eventbridge: '@aws-sdk/client-eventbridge',
  lambda: '@aws-sdk/client-lambda',
  scheduler: '@aws-sdk/client-scheduler',
  s3: '@aws-sdk/client-s3',
  ssm: '@aws-sdk/client-ssm',
} as const;
/** The client of each service whose name ends the names of the files that use it, as in `saga-store.dynamodb.ts`. */
const clients: Readonly<Record<string, string>> = { dynamodb: dynamoDB, sqs, ...optional };
const cdk = 'aws-cdk-lib';
/**
 * Packages that only the local runner uses, and that their users install: it names the one that is missing.
 */
const loadedByName = ['fauxqs', 'amplify-dynamodb-simulator'];

/** The capabilities of the runtime: each may import those below it. */
const capabilities = [
  'session',
  'relay',
  'pipeline',
  'recoverability',
  'attempt',
  'outbox',
  'saga',
  'handlers',
  'sending',
  'observe',
  'messages',
  'dynamodb',
  'kernel',
] as const;
const below = (name: (typeof capabilities)[number]) => capabilities.slice(capabilities.indexOf(name) + 1);
const runtime = ['patterns', 'compose', 'settings', ...capabilities];

/** What each folder of lib may import, from the top down, as docs/design/architecture.md tells. */
const folders: Readonly<Record<string, Folder>> = {
  cli: {
    imports: [...runtime, 'capacity', 'local', 'charts'],
    packages: [dynamoDB, sqs, '@aws-sdk/client-cloudformation', 'commander', 'valibot', 'yaml'],
    types: ['@standard-schema/spec', 'aws-lambda'],
  },
  local: {
    imports: ['capacity', 'settings', 'messages', 'dynamodb', 'kernel'],
    packages: [dynamoDB, sqs, cdk, 'fauxqs'],
    types: ['aws-lambda'],
  },
  testing: {
    imports: runtime,
    packages: ['@middy/core', dynamoDB],
    types: ['@standard-schema/spec', 'aws-lambda'],
    node: ['node:async_hooks', 'node:crypto', 'node:util'],
  },
  index: { imports: runtime, types: ['@standard-schema/spec'], node: [] },
  constructs: {
    imports: [
      'capacity',
      'settings',
      'relay',
      'saga',
      'sending',
      'observe',
      'messages',
      'dynamodb',
      'kernel',
    ],
    packages: [cdk, 'constructs'],
  },
  capacity: {
    imports: ['outbox', 'saga', 'sending', 'messages', 'dynamodb', 'kernel'],
    types: [dynamoDB],
    node: [],
  },
  patterns: {
    imports: ['saga', 'handlers', 'sending', 'messages', 'dynamodb', 'kernel'],
    types: ['@standard-schema/spec'],
    node: [],
  },
  'relay-handler': { imports: ['compose'], node: [] },
  'watcher-handler': { imports: ['compose'], node: [] },
  compose: {
    imports: ['settings', ...capabilities],
    packages: ['@middy/core', dynamoDB, sqs, optional.ssm],
    types: ['aws-lambda'],
  },
  opentelemetry: {
    imports: below('handlers'),
    packages: ['@opentelemetry/api'],
    types: ['aws-lambda'],
    node: [],
  },
  settings: { imports: ['relay', 'saga', ...below('handlers')], node: [] },
  session: { imports: ['pipeline', ...below('recoverability')], types: ['aws-lambda'], node: [] },
  relay: { imports: below('relay'), packages: [dynamoDB, optional.lambda], node: [] },
  pipeline: { imports: below('pipeline'), types: ['aws-lambda'], node: [] },
  recoverability: { imports: below('recoverability'), packages: [sqs], types: ['aws-lambda'], node: [] },
  attempt: { imports: below('attempt'), node: [] },
  outbox: {
    imports: below('outbox'),
    packages: [dynamoDB],
    node: ['node:crypto', 'node:timers/promises'],
  },
  saga: {
    imports: below('saga'),
    packages: [dynamoDB],
    types: ['@standard-schema/spec'],
    node: ['node:util/types'],
  },
  handlers: { imports: ['sending', 'messages', 'kernel'], types: ['aws-lambda'], node: [] },
  sending: {
    imports: below('sending'),
    packages: [sqs, optional.sns, optional.eventbridge, optional.scheduler, optional.s3],
    types: ['aws-lambda', dynamoDB],
    node: ['node:crypto', 'node:util/types'],
  },
  observe: { imports: below('observe'), node: [] },
  messages: {
    imports: below('messages'),
    types: ['@standard-schema/spec', 'aws-lambda'],
    node: ['node:crypto', 'node:util/types', 'node:zlib'],
  },
  dynamodb: {
    imports: ['kernel'],
    packages: [dynamoDB],
    node: ['node:crypto', 'node:timers/promises', 'node:util/types', 'node:zlib'],
  },
  charts: { imports: [], packages: ['echarts'], node: [] },
  kernel: { imports: [], node: ['node:timers/promises', 'node:util/types'] },
};

const sources = readSources('lib');
const sourceByPath = new Map(sources.map((source) => [source.path, source]));

/** 'kernel' for 'lib/kernel/errors/errors.ts', 'index' for 'lib/index.ts'. */
function folderOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

/** 'dynamodb' for 'saga-store.dynamodb.ts'; undefined for a file without the name of a service. */
function serviceOf(path: string): string | undefined {
  return /\.(\w+)\.ts$/.exec(path)?.[1];
}

/** Whether a file may know no client but by its name; the folder of DynamoDB itself needs none. */
function isBelowCompose(path: string): boolean {
  const folder = folderOf(path);
  return folder !== 'dynamodb' && (capabilities as readonly string[]).includes(folder);
}

function filesImportedBy(source: SourceFile): string[] {
  return source.imports.flatMap((imported) => importedFile(source.path, imported) ?? []);
}

/** '<file> imports <what>', of each import that is refused. */
function breaches(
  refuses: (source: SourceFile, imported: SourceFile['imports'][number]) => boolean,
): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((imported) => refuses(source, imported))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
}

describe('the imports of lib', () => {
  it('are found at all', () => {
    expect(sources.length).toBeGreaterThan(50);
    const code = [
      "import a from 'a';",
      "import 'b';",
      "import { c,\n  type d } from 'c';",
      "import type { e } from 'e';",
      "export { f } from 'f';",
      "export type { g } from 'g';",
      "export * from 'h';",
      "const i = await import('i');",
    ].join('\n');
    const found = importsOf(code).map(({ specifier, typeOnly }) =>
      typeOnly ? `type ${specifier}` : specifier,
    );
    expect(found.toSorted()).toEqual(['a', 'b', 'c', 'f', 'h', 'i', 'type e', 'type g']);
  });

  it('lead to files that are there', () => {
    const missing = breaches((source, imported) => {
      const file = importedFile(source.path, imported);
      return file !== undefined && !sourceByPath.has(file);
    });
    expect(missing).toEqual([]);
  });

  it('come from folders that the design knows', () => {
    const unknown = sources.map(({ path }) => folderOf(path)).filter((name) => !Object.hasOwn(folders, name));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it.each(Object.keys(folders))('of %s go down only', (name) => {
    const { imports = [], packages = [], types = [], node } = folders[name] ?? {};
    const refused = breaches((source, imported) => {
      if (folderOf(source.path) !== name) return false;
      const file = importedFile(source.path, imported);
      if (file !== undefined) return ![name, ...imports].includes(folderOf(file));
      if (isOfNode(imported.specifier)) return node !== undefined && !node.includes(imported.specifier);
      const packageName = importedPackage(imported) ?? '';
      return !packages.includes(packageName) && !(imported.typeOnly && types.includes(packageName));
    });
    expect(refused).toEqual([]);
  });

  it('of the client of a service stand in files with its name, or above the capabilities', () => {
    const refused = breaches((source, imported) => {
      if (imported.typeOnly || !isBelowCompose(source.path)) return false;
      const file = importedFile(source.path, imported);
      const service = file === undefined ? undefined : serviceOf(file);
      if (service !== undefined) return serviceOf(source.path) !== service;
      const packageName = importedPackage(imported);
      const isClient = Object.values(clients).includes(packageName ?? '');
      return isClient && clients[serviceOf(source.path) ?? ''] !== packageName;
    });
    expect(refused).toEqual([]);
  });

  it('of Node have the node: prefix', () => {
    const bare = breaches((_source, { specifier }) => isOfNode(specifier) && !specifier.startsWith('node:'));
    expect(bare).toEqual([]);
  });

  it('of packages are declared for users', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(repository, 'package.json'), 'utf8'),
    );
    const declared = new Set([
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies),
      ...loadedByName,
    ]);
    const undeclared = breaches((_source, imported) => {
      const name = importedPackage(imported);
      return (
        name !== undefined && !declared.has(name) && !(imported.typeOnly && declared.has(`@types/${name}`))
      );
    });
    expect(undeclared).toEqual([]);
  });

  it('form no cycle', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      const source = sourceByPath.get(path);
      for (const file of source ? filesImportedBy(source) : []) visit(file, [...trail, path]);
      done.add(path);
    };
    for (const { path } of sources) visit(path, []);
    expect(cycles).toEqual([]);
  });
});

describe('the objects of the runtime', () => {
  /** Objects that a file has made itself and not given away yet, the request of middy, and the state in an example. */
  const ownObjects: Readonly<Record<string, readonly string[]>> = {
    'lib/relay/shared-search.dynamodb.ts': ['share'],
    'lib/kernel/calls/request-batcher.ts': ['question'],
    'lib/sending/transports/sender.ts': ['batch'],
    'lib/messages/record-fields.ts': ['copy'],
    'lib/saga/definition/define-saga.ts': ['saga'],
    'lib/outbox/record-attributes.ts': ['attributes'],
    'lib/relay/relay.ts': ['result', 'run'],
    'lib/relay/watch.ts': ['result'],
    'lib/compose/handler/outbox-middleware.ts': ['request'],
    'lib/compose/session/session-middleware.ts': ['request'],
  };
  const assignment = /(?<![\w.#'"])(?!this\b)([A-Za-z_]\w*)(?:\??\.\w+)+ (?:\?\?|\|\||&&|[-+*])?= (?!=)/g;
  /** The drafts of sagas' states are there to be set. */
  const foldersOfObjects = runtime.filter((name) => name !== 'patterns');

  it('set their fields by themselves: no file sets what another one reads', () => {
    const set = sources
      .filter(({ path }) => foldersOfObjects.includes(folderOf(path)))
      .flatMap(({ path, code }) =>
        [...code.matchAll(assignment)].map(([text, object = '']) => ({ path, object, text })),
      );
    expect(set.filter(({ path, object }) => !ownObjects[path]?.includes(object))).toEqual([]);
  });
});

/** The files that a file leads to, itself included; by value only, or by types too. */
function reachedFrom(path: string, kind: 'values' | 'types too', reached = new Set<string>()): Set<string> {
  if (reached.has(path)) return reached;
  reached.add(path);
  for (const imported of sourceByPath.get(path)?.imports ?? []) {
    const file = importedFile(path, imported);
    if (file !== undefined && !(kind === 'values' && imported.typeOnly)) reachedFrom(file, kind, reached);
  }
  return reached;
}

/** The packages that files import by value. */
function packagesOf(paths: Iterable<string>): string[] {
  const imports = [...paths].flatMap((path) => sourceByPath.get(path)?.imports ?? []);
  const packages = imports
    .filter(({ typeOnly }) => !typeOnly)
    .flatMap((imported) => importedPackage(imported) ?? []);
  return [...new Set(packages)].sort();
}

describe('the runtime', () => {
  it('reaches no folder but its own', () => {
    const reached = [...reachedFrom('lib/index.ts', 'types too')].map(folderOf);
    expect([...new Set(reached)].sort()).toEqual([...runtime, 'index'].sort());
  });

  it('brings no package of deployment, tests or tools', () => {
    const packages = [dynamoDB, sqs, ...Object.values(optional)];
    expect(packagesOf(reachedFrom('lib/index.ts', 'types too'))).toEqual(packages.sort());
  });
});

/** The files that load a package as soon as they are loaded themselves. */
function loadersAtOnce(packageName: string): string[] {
  const statement = /^(?:import|export)\s+(?!type\s)[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm;
  return sources.flatMap(({ path, code }) => {
    const names = [...code.matchAll(statement)].map(([, from, bare]) => from ?? bare ?? '');
    return names.some((name) => name === packageName || name.startsWith(`${packageName}/`)) ? [path] : [];
  });
}

describe('optional packages', () => {
  it.each([...Object.values(optional), 'fauxqs'])('%s is loaded in one place, when it is used', (name) => {
    expect(loadersAtOnce(name)).toEqual([]);
    expect(sources.filter(({ code }) => code.includes(`import('${name}')`))).toHaveLength(1);
  });

  it('aws-cdk-lib is loaded by the constructs, and elsewhere when a cloud assembly is read', () => {
    const elsewhere = (path: string) => folderOf(path) !== 'constructs';
    expect(loadersAtOnce(cdk).filter(elsewhere)).toEqual([]);
    const readers = sources.filter(({ code }) => code.includes(`import('${cdk}/cx-api')`));
    expect(readers.map(({ path }) => path)).toEqual(['lib/local/app/cloud-assembly.ts']);
  });

  it('of the local runner are no peers of the package, and here for its tests', () => {
    const manifestOf = (path: string) => JSON.parse(readFileSync(join(repository, path), 'utf8'));
    const { peerDependencies, devDependencies } = manifestOf('package.json');
    const ofSecondEngine = manifestOf('test/dynamodb-local/packages/package.json').devDependencies;
    for (const name of loadedByName) {
      expect(peerDependencies).not.toHaveProperty([name]);
      expect({ ...devDependencies, ...ofSecondEngine }).toHaveProperty([name]);
    }
  });
});

describe('the test kit', () => {
  it('brings no client of AWS but that of DynamoDB, whose reads it answers', () => {
    expect(packagesOf(reachedFrom('lib/testing/index.ts', 'values'))).toEqual([dynamoDB]);
  });
});

describe('the packages that a file imports', () => {
  const declaredIn = (path: string): string[] => {
    const manifest = JSON.parse(readFileSync(join(repository, path), 'utf8'));
    const kinds = ['dependencies', 'peerDependencies', 'devDependencies', 'optionalDependencies'];
    return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
  };
  const ofRoot = ['sagabox', ...declaredIn('package.json')];
  /** The packages that one command alone needs, by its folder. */
  const ofFolders = new Map(
    ['bin', 'test', 'bench', 'site'].flatMap((root) =>
      filesIn(root, 'packages/package.json').map(
        (path) => [dirname(dirname(path)), declaredIn(path)] as const,
      ),
    ),
  );

  it('are declared in package.json, or in that of its folder', () => {
    const undeclared = ['bin', 'lib', 'lambdas', 'test', 'bench', 'examples', 'site'].flatMap((root) =>
      readSources(root).flatMap(({ path, imports }) => {
        // It quotes imports.
        if (path === 'test/architecture.test.ts') return [];
        const folder = [...ofFolders.keys()].find((name) => path.startsWith(`${name}/`)) ?? '';
        const declared = new Set([...ofRoot, ...(ofFolders.get(folder) ?? [])]);
        return imports
          .flatMap((imported) => importedPackage(imported) ?? [])
          .filter((name) => !declared.has(name) && !declared.has(`@types/${name}`))
          .map((name) => `${path} imports ${name}`);
      }),
    );
    expect(undeclared).toEqual([]);
  });

  it('have their versions in lock files that name no registry', () => {
    const locks = [
      'package-lock.json',
      ...[...ofFolders.keys()].map((name) => `${name}/packages/package-lock.json`),
    ];
    expect(locks.length).toBeGreaterThan(5);
    expect(
      locks.filter((path) => readFileSync(join(repository, path), 'utf8').includes('"resolved"')),
    ).toEqual([]);
  });
});

describe('the tools', () => {
  const isSupport = (path: string) => path.startsWith('test/support/');
  it.each<[string, string, (path: string) => boolean]>([
    [
      'bench',
      'the command line but its charts, examples and tests',
      (file) => /^(lib\/cli\/(?!plan\/charts\/)|examples\/|test\/)/.test(file),
    ],
    ['test', 'bench', (file) => file.startsWith('bench/')],
  ])('in %s import nothing of %s, except test/support', (folder, _what, isForeign) => {
    const refused = readSources(folder).flatMap(({ path, imports }) => {
      const files = imports.flatMap((imported) => importedFile(path, imported) ?? []);
      return files
        .filter((file) => isForeign(file) && !isSupport(file))
        .map((file) => `${path} imports ${file}`);
    });
    expect(refused).toEqual([]);
  });
});

describe('the sub-paths of the package', () => {
  const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const subPaths = Object.entries<Record<string, string>>(exports).filter(
    ([, target]) => typeof target === 'object',
  );

  it.each(subPaths)('%s leads to a source, of which the build makes an entry point', (_subPath, target) => {
    expect(Object.keys(target)).toEqual(['sagabox-source']);
    expect(sourceByPath.has(target['sagabox-source']?.replace('./', '') ?? '')).toBe(true);
  });
});

/** Files that let a turn of the event loop pass, so that calls of several messages become one. */
const sharesCalls = ['lib/kernel/calls/in-flight.ts', 'lib/sending/transports/sender.ts'];

describe('the sources of lib', () => {
  it('say why, where they drop an error', () => {
    const drops = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/catch \{\s*(.*)/g)].map(([, next = '']) => ({ path, next })),
    );
    expect(drops.length).toBeGreaterThan(5);
    expect(drops.filter(({ next }) => !next.startsWith('//'))).toEqual([]);
  });

  it('hold at most 300 lines each', () => {
    const long = sources.filter(({ text }) => text.trimEnd().split('\n').length > 300);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it.each(['settings', ...capabilities].filter((name) => name !== 'dynamodb'))(
    'in %s get time, chance and settings handed in',
    (name) => {
      const impure =
        /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bMath\.random\b|\brandomUUID\b|\bprocess\.(?!getBuiltinModule)|\bset(Timeout|Interval|Immediate)\b/;
      const found = sources
        .filter(({ path }) => folderOf(path) === name && serviceOf(path) === undefined)
        .filter(({ path, code }) => !sharesCalls.includes(path) && impure.test(code))
        .map(({ path, code }) => `${path}: ${impure.exec(code)?.[0]}`);
      expect(found).toEqual([]);
    },
  );
});
