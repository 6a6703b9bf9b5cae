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
  /** It says so in its first line. */
  readonly needsAccount: boolean;
  readonly commands: readonly string[];
}

export const accountMark = '# needs an AWS account';

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
  return {
    kind: 'commands',
    line: before.split('\n').length + 1,
    needsAccount: content.startsWith(`${accountMark}\n`),
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
