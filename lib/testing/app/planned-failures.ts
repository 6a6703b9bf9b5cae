import type { Definition } from '../../compose/handler/route-messages.ts';
import type { IncomingMessage } from '../../messages/message.ts';

interface PlannedFailure {
  readonly endpoint: string;
  readonly type: string;
  readonly error: unknown;
  timesLeft: number;
}

/** The failures that a test asked for. */
export class PlannedFailures {
  readonly #planned: PlannedFailure[] = [];
  readonly #thrown = new Set<unknown>();

  add(endpoint: string, type: string, times: number, error: unknown): void {
    this.#planned.push({ endpoint, type, error, timesLeft: times });
  }

  isPlanned(error: unknown): boolean {
    return this.#thrown.has(error);
  }

  /** The same definition, whose handler fails in place of what it does as often as was asked for. */
  failing(endpoint: string, definition: Definition): Definition {
    const { handler } = definition;
    const handle = async (message: IncomingMessage, context: unknown) => {
      const planned = this.#planned.find(
        (each) => each.endpoint === endpoint && each.type === message.type && each.timesLeft > 0,
      );
      if (planned === undefined) return await handler(message as never, context as never);
      planned.timesLeft -= 1;
      this.#thrown.add(planned.error);
      throw planned.error;
    };
    return { ...definition, handler: handle };
  }
}
