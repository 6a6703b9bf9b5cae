import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { foreignRequest } from './local-request.ts';
import type { RunningEngine } from './running-engine.ts';

/**
 * Serves HTTP on the loopback interface, to programs of this machine. A request whose handling fails loses its
 * connection.
 *
 * @param port 0 for a free one
 */
export async function startLoopbackServer(
  handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
  port = 0,
): Promise<RunningEngine> {
  const server = createServer((incoming, response) => {
    const refusal = foreignRequest(incoming.headers);
    if (refusal !== undefined) {
      response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(refusal);
      return;
    }
    handle(incoming, response).catch(() => incoming.socket.destroy());
  });
  // Idle clients keep their connections.
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
