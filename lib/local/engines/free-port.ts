import { createServer } from 'node:net';

/** A TCP port of the loopback interface that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  return await listenOnce(0);
}

/** Whether nothing listens on this TCP port of the loopback interface now. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch {
    return false;
  }
}

/** @returns the port that was listened on, which is free again */
function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
