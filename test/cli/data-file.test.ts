import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { readDataFile } from '../../lib/cli/data-file.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const temporary = temporaryDirectory();

async function read(name: string, content: string): Promise<unknown> {
  const path = temporary(name);
  await writeFile(path, content);
  return await readDataFile(path);
}

describe('a file of JSON or YAML', () => {
  it.each([
    ['a.json', '{"messagesPerSecond": 2, "message": {"outgoing": 1}}'],
    ['tabs.json', '{\n\t"messagesPerSecond": 2,\n\t"message": {\n\t\t"outgoing": 1\n\t}\n}\n'],
    ['mark.json', '\uFEFF{"messagesPerSecond": 2, "message": {"outgoing": 1}}'],
    ['a.yaml', 'messagesPerSecond: 2\nmessage:\n  outgoing: 1\n'],
    ['mark.yaml', '\uFEFFmessagesPerSecond: 2\nmessage: { outgoing: 1 }\n'],
  ])('is read, with tabs and byte order marks: %s', async (name, content) => {
    expect(await read(name, content)).toEqual({ messagesPerSecond: 2, message: { outgoing: 1 } });
  });

  it.each([
    ['twice.json', '{"message": {"outgoing": 1, "outgoing": 2}}', /unique at line 1, column 29/],
    ['twice.yaml', 'message:\n  outgoing: 1\n  outgoing: 2\n', /unique at line 3, column 3/],
    ['tag.yaml', 'message: !shape { outgoing: 1 }\n', /tag: !shape at line 1, column 10/],
    ['broken.json', '{\n  "message": {,', /at line 2, column 15/],
    ['broken.yaml', 'message:\n  outgoing: [1\nx: 3\n', /at line 3, column 1/],
  ])('is refused if it is broken or not clear, with the position: %s', async (name, content, position) => {
    const error = await read(name, content).catch((caught: Error) => caught);
    expect(String(error)).toMatch(/^Error: it cannot be read: /);
    expect(String(error)).toMatch(position);
  });

  it('tells a tag without a warning of Node', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error) => warnings.push(warning);
    process.on('warning', keep);
    try {
      await expect(read('warned.yaml', 'message: !shape {}\n')).rejects.toThrow('!shape');
      // Warnings are emitted in the next tick.
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', keep);
    }
  });
});
