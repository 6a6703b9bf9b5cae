import { startLoopbackServer } from './loopback-server.ts';

/** A TCP port of the loopback interface that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  return await listenOnce(0);
}

/** Whether nothing listens on this TCP port of the loopback interface now. */
export async function isPortFree(port: number): Promise<boolean> {
  return await listenOnce(port).then(
    () => true,
    () => false,
  );
}

/** @returns the port that was listened on, which is free again */
async function listenOnce(port: number): Promise<number> {
  const { endpoint, stop } = await startLoopbackServer(async () => {}, port);
  await stop();
  return Number(new URL(endpoint).port);
}
