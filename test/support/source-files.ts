import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';

export const repository = join(import.meta.dirname, '..', '..');

export interface SourceImport {
  /** As written: './errors.ts', 'aws-cdk-lib/aws-sqs', 'node:crypto'. */
  readonly specifier: string;
  /** Gone when the types are stripped. */
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** From the repository's root: 'lib/kernel/errors/errors.ts'. */
  readonly path: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  readonly imports: readonly SourceImport[];
}

const importStatement = /^import\s+(type\s+)?(?:[\w$*{},\s]+?\s+from\s+)?'([^']+)'/gm;
const exportStatement = /^export\s+(type\s+)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s+from\s+'([^']+)'/gm;
const dynamicImport = /\bimport\(\s*'([^']+)'/g;

export function readSources(folder: string): SourceFile[] {
  return filesIn(folder, '.ts').map((path) => {
    const text = readFileSync(join(repository, path), 'utf8');
    const code = withoutComments(text);
    return { path, text, code, imports: importsOf(code) };
  });
}

/** Paths from the repository's root, without those of installed packages. */
export function filesIn(folder: string, extension: string): string[] {
  const exclude = (name: string) => name === 'node_modules';
  return globSync(`**/*${extension}`, { cwd: join(repository, folder), exclude })
    .map((path) => join(folder, path))
    .sort();
}

export function importsOf(code: string): SourceImport[] {
  const statements = [importStatement, exportStatement].flatMap((pattern) => [...code.matchAll(pattern)]);
  return [
    ...statements.map(([, type, specifier = '']) => ({ specifier, typeOnly: type !== undefined })),
    ...[...code.matchAll(dynamicImport)].map(([, specifier = '']) => ({ specifier, typeOnly: false })),
  ];
}

/** The file of ours that an import leads to, undefined for a package. */
export function importedFile(importer: string, { specifier }: SourceImport): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return relative(repository, join(repository, dirname(importer), specifier));
}

/** 'aws-cdk-lib' for 'aws-cdk-lib/aws-sqs'; undefined for a file of ours or of Node. */
export function importedPackage({ specifier }: SourceImport): string | undefined {
  if (specifier.startsWith('.') || isOfNode(specifier)) return undefined;
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

export function isOfNode(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/**
 * Good enough for code that Biome has formatted: `//` in a string is kept when a quote or colon stands before
 * it.
 */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '');
}
