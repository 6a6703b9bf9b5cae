/**
 * Draws the images of docs/reference/capacity.md again:
 * `node --conditions=sagabox-source examples/capacity/draw.ts`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawImages, imageFolder } from './charts.ts';

await mkdir(imageFolder, { recursive: true });
for (const { file, svg } of await drawImages()) await writeFile(join(imageFolder, file), svg);
