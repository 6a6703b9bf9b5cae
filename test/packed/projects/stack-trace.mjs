import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineHandlers } from 'sagabox';
import { testHandlers } from 'sagabox/testing';
import { z } from 'zod';

// An error of a handler: its own frames come first, and those of the package lead to code that can be read.
function chargeCard(id) {
  throw new TypeError(`There is no card for ${id}`);
}

const handlers = defineHandlers({
  messages: { Pay: z.object({ id: z.string() }) },
  handlers: {
    async Pay({ body }) {
      await null;
      chargeCard(body.id);
    },
  },
});

const { stack } = await testHandlers(handlers)
  .deliver('Pay', { id: '7' })
  .catch((error) => error);
const [, ...frames] = stack.split('\n');
const ownFrames = frames.slice(0, 2).map((frame) => /at (\w+) \(.*stack-trace\.mjs:/.exec(frame)?.[1]);
if (String(ownFrames) !== 'chargeCard,Pay')
  throw new Error(`The stack does not begin in the handler: ${stack}`);

const places = frames.flatMap((frame) => {
  const [, name, url, line] =
    /at (?:async )?(?:(\S+) \()?(file:\S+\/sagabox\/lib\/[\w-]+\.js):(\d+):/.exec(frame) ?? [];
  return url === undefined ? [] : [{ name, file: fileURLToPath(url), line: Number(line) }];
});
const named = places.filter(({ name }) => name !== undefined);
if (named.length < 3) throw new Error(`Too few functions of the package have a name: ${stack}`);
for (const { file, line } of places) {
  const code = readFileSync(file, 'utf8');
  const above = code.split('\n').slice(0, line).join('\n');
  const sources = above.match(/^\/\/ lib\/.*\.ts$/gm) ?? [];
  if (sources.length === 0) throw new Error(`${file}:${line} does not tell its source`);
  if (code.includes('sourceMappingURL')) throw new Error(`${file} names a source map, and there are none`);
}
