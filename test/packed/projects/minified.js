import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createHandler, SagaboxError, UnrecoverableError } from 'sagabox';

// Bundled as a function is deployed: errors have their names, and stacks show the sources of the package.
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
const [, place = ''] =
  /\((\S+\/sagabox\/lib\/middleware\/create-handler\.ts):\d+:\d+\)/.exec(thrown.stack) ?? [];
const path = place.startsWith('file:') ? fileURLToPath(place) : place;
if (!existsSync(path)) throw new Error(`The stack does not show the sources of the package: ${thrown.stack}`);
