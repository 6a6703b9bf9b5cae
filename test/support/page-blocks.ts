import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, repository } from './source-files.ts';

/** A file that a page tells its reader to write: the code begins with its name, or the text above ends with it. */
export interface FileBlock {
  readonly kind: 'file';
  readonly name: string;
  readonly content: string;
}

/** A block of a shell. */
export interface CommandBlock {
  readonly kind: 'commands';
  /** Of its first line, from 1. */
  readonly line: number;
  /** What CI has not, as its first line says. */
  readonly needs?: string;
  /** Whether its first line says that it runs in a clone of the repository, which the package is not. */
  readonly isInClone: boolean;
  readonly commands: readonly string[];
}

const mark = /^# needs (an AWS account|the AWS CLI)\n/;
const cloneMark = '# in a clone of the repository\n';

/** Also in a list, where it is indented. A JSON file has no comments, so its name stands above it. */
const fencedBlock = /(?:`([\w./-]+\.json)`:\n\n)?^( *)```(\w+)[^\n]*\n([\s\S]*?)^ *```\s*$/gm;
const nameInCode = /^(?:\/\/|#) ([\w./-]+\.\w+)\n/;

/** The files and commands of a page, in its order. */
export function blocksIn(page: string): (FileBlock | CommandBlock)[] {
  return [...page.matchAll(fencedBlock)].flatMap((match): (FileBlock | CommandBlock)[] => {
    const [, above, indent = '', language, text = ''] = match;
    const content = text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    if (language === 'sh') return [commandBlock(content, page.slice(0, match.index))];
    const name = above ?? nameInCode.exec(content)?.[1];
    return name === undefined ? [] : [{ kind: 'file', name, content }];
  });
}

function commandBlock(content: string, before: string): CommandBlock {
  const needs = mark.exec(content)?.[1];
  return {
    kind: 'commands',
    line: before.split('\n').length + 1,
    ...(needs !== undefined && { needs }),
    isInClone: content.startsWith(cloneMark),
    commands: commandsIn(content),
  };
}

/** Without comments; a command goes on after a backslash, and within quotes. */
function commandsIn(content: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of content.replaceAll('\\\n', ' ').split('\n')) {
    const command = open + line.replace(/(^|\s+)#\s.*$/, '');
    const isOpen = command.replace(/[^']/g, '').length % 2 === 1;
    if (!isOpen && command.trim() !== '') commands.push(command.replace(/\s+/g, ' ').trim());
    open = isOpen ? `${command}\n` : '';
  }
  return commands;
}

export interface PageCommand {
  /** Page and line of its block. */
  readonly place: string;
  readonly command: string;
  readonly needs?: string;
}

/** The commands of all pages, one by one. */
export function commandsOfPages(): PageCommand[] {
  const pages = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', '.md'), ...filesIn('examples', '.md')];
  return pages.flatMap((page) =>
    blocksIn(readFileSync(join(repository, page), 'utf8')).flatMap((block) => {
      if (block.kind === 'file') return [];
      const { line, commands, needs } = block;
      const place = `${page}:${line}`;
      return commands
        .flatMap((text) => text.split(' && '))
        .map((command) => ({ place, command, ...(needs !== undefined && { needs }) }));
    }),
  );
}

/** The words of a command, without their quotes, and without the file that its output goes to. */
export function wordsOf(command: string): string[] {
  const words = command.replace(/ > .*$/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}

/** Runs of a script of this repository: where they stand, and with which arguments. */
export function runsOfScript(script: string): [place: string, args: string[]][] {
  return commandsOfPages().flatMap(({ place, command }) => {
    const [, name, args = ''] = /^npm (?:run )?(\S+)(?: -- (.*))?$/.exec(command) ?? [];
    return name === script ? [[`${place}: ${command}`, wordsOf(args)] as [string, string[]]] : [];
  });
}
