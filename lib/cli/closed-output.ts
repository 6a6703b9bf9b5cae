const callbacks = new WeakMap<NodeJS.WriteStream, () => void>();

/**
 * Calls back when nobody reads the output of a command any more, as behind `| head`. Without a listener, Node
 * ends the process with the stack of the EPIPE.
 *
 * @param callback of several for one stream, the last one counts
 */
export function whenClosed(stream: NodeJS.WriteStream, callback: () => void): void {
  callbacks.set(stream, callback);
  stream.off('error', onError).on('error', onError);
}

function onError(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  callbacks.get(this)?.();
}
