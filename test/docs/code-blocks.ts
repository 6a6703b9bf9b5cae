import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, readSources, repository } from '../support/source-files.ts';

/** A block of TypeScript in a page or a docstring. */
export interface CodeBlock {
  /** From the repository's root. */
  readonly path: string;
  /** Where the code begins in its file, from 1. */
  readonly line: number;
  readonly code: string;
}

/** Also in a list, where it is indented. */
const fencedBlock = /^( *)```ts\b[^\n]*\n([\s\S]*?)^ *```\s*$/gm;
const docstring = /^[ \t]*\/\*\*[\s\S]*?\*\//gm;

export function blocksOfPages(): CodeBlock[] {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...(existsSync(join(repository, 'docs')) ? filesIn('docs', '.md') : []),
  ];
  return pages.flatMap((path) => blocksOf(path, readFileSync(join(repository, path), 'utf8')));
}

export function blocksOfDocstrings(): CodeBlock[] {
  return readSources('lib').flatMap(({ path, text }) => {
    return [...text.matchAll(docstring)].flatMap(({ 0: comment, index }) => {
      // As many lines as before, so that the line numbers stay right.
      const content = comment.replace(/^[ \t]*\/?\*+\/?[ ]?/gm, '');
      return blocksOf(path, content, lineAt(text, index));
    });
  });
}

function blocksOf(path: string, text: string, firstLine = 1): CodeBlock[] {
  return [...text.matchAll(fencedBlock)].map(({ 1: indent = '', 2: code = '', index }) => {
    const unindented = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { path, line: firstLine + lineAt(text, index), code: unindented };
  });
}

/** From 1. */
function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
