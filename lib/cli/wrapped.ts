/** Lines of at most so many characters, broken between words. */
export function wrapped(prose: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of prose.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
