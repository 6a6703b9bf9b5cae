/**
 * The address of a module beside another one, for what is started by address and not imported (workers, child
 * processes): `.ts` when run from source, `.js` when run from the published package.
 */
export function siblingModule(moduleUrl: string, name: string): URL {
  const extension = moduleUrl.endsWith('.ts') ? '.ts' : '.js';
  return new URL(`./${name}${extension}`, moduleUrl);
}
