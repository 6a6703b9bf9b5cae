import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createHandler, SagaboxError, UnrecoverableError } from 'sagabox';

// Bundled as a function is deployed: errors have their names, and stacks show the code of the package.
let thrown;
try {
  createHandler(1);
} catch (error) {
  thrown = error;
}
const names = [thrown.name, thrown.constructor.name, thrown.code, new UnrecoverableError('gone').name];
if (String(names) !== 'SagaboxError,SagaboxError,Configuration,UnrecoverableError')
  throw new Error(String(names));
if (!(thrown instanceof SagaboxError)) throw thrown;
const [, place = '', line = ''] = /\((\S+\/sagabox\/lib\/[\w-]+\.js):(\d+):\d+\)/.exec(thrown.stack) ?? [];
const path = place.startsWith('file:') ? fileURLToPath(place) : place;
if (!existsSync(path)) throw new Error(`The stack does not show the code of the package: ${thrown.stack}`);
const shown = readFileSync(path, 'utf8').split('\n')[Number(line) - 1];
if (!shown.includes('new SagaboxError('))
  throw new Error(`The stack shows no line of the package but: ${shown}`);
