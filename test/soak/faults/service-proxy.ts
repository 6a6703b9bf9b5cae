import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Random } from '../../support/random.ts';

/**
 * What a connection that is used during a black hole does for the rest of its life: `swallowed` requests
 * never reach the service; `unanswered` ones do and take effect, only their answers are kept back.
 */
export type Silence = 'swallowed' | 'unanswered';

export interface ServiceProxyOptions {
  readonly endpoint: string;
  readonly random: Random;
  /** Called for each connection that falls silent, with what it does. */
  readonly onSilence: (silence: Silence) => void;
}

/** A port in front of a service, which takes connections and requests while silent, and answers none. */
export class ServiceProxy {
  isSilent = false;
  readonly #options: ServiceProxyOptions;
  readonly #service: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(options: ServiceProxyOptions) {
    this.#options = options;
    const { hostname, port } = new URL(options.endpoint);
    this.#service = { host: hostname, port: Number(port) };
    this.#server = createServer((client) => this.#relay(client));
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #relay(client: Socket): void {
    const service = connect(this.#service);
    let silence: Silence | undefined;
    /** A connection that is silent stays so: what was lost on it is not sent again. */
    const silenceNow = (kind: () => Silence) => {
      if (silence === undefined && this.isSilent) {
        silence = kind();
        this.#options.onSilence(silence);
      }
      return silence;
    };
    const drawn = () => this.#options.random.pick<Silence>(['swallowed', 'unanswered']);
    for (const socket of [client, service]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      // An error closes the socket, which is all that has to be known of it.
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    client.on('data', (chunk) => {
      if (silenceNow(drawn) !== 'swallowed') forward(chunk, client, service);
    });
    service.on('data', (chunk) => {
      // A request that was on its way when the silence began took effect.
      if (silenceNow(() => 'unanswered') === undefined) forward(chunk, service, client);
    });
    client.once('end', () => service.end());
    client.once('close', () => service.end());
    service.once('close', () => client.destroy());
  }
}

function forward(chunk: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.writableEnded || to.write(chunk)) return;
  from.pause();
  to.once('drain', () => from.resume());
}
