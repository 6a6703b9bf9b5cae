import { readFileSync } from 'node:fs';

/**
 * Comments that begin a line, and have no backtick: elsewhere the same characters may stand in a string, and
 * what begins in a template literal reaches no code without one.
 */
const comments = /^[^\S\n]*(?:\/\/[^`\n]*$|\/\*[^`]*?\*\/)/gm;
const exporting = /\bexports?\b/;
/** `export * from`, `module.exports = require(…)`, and the object of all exports handed on. */
const exportOfAll = /\bexport\s*\*|\bmodule\.exports\b|\bexports\s*[,)]/;

/**
 * Whether a file may export `handler`. It is read and not parsed, so that synth takes no longer: what exports
 * all of another file may export it.
 */
export function mayExportHandler(entry: string): boolean {
  const source = readFileSync(entry, 'utf8').replace(comments, '');
  return exportsHandler(source) || exportOfAll.test(source);
}

/** `export const handler`, `export { run as handler }`, `exports.handler =`, with whatever stands between. */
function exportsHandler(source: string): boolean {
  const first = source.search(exporting);
  return first >= 0 && /\bhandler\b/.test(source.slice(first));
}
