import { aNumber, aString } from '../../kernel/checks/checks.ts';
import type { PropChecks } from '../checks/prop-checks.ts';
import { strings } from '../checks/prop-kinds.ts';
import type { Violations } from '../violations.ts';

/** Which messages an endpoint publishes to a topic or an event bus, and the name of that destination. */
export interface PublicationOptions {
  /**
   * The name of the destination, for handlers that also `send` to it.
   *
   * @default - the construct id of the topic or event bus in lower case
   */
  readonly name?: string;

  /**
   * The message types that the endpoint publishes to it.
   *
   * @default - all types that are not published elsewhere
   */
  readonly messageTypes?: readonly string[];

  /**
   * The maximum size of a message with its attributes: 1,024 to 1,048,576 bytes. An event bus takes 1 MiB.
   *
   * @default - the `MaximumMessageSize` of a `Topic` of the app, else 262,144
   */
  readonly maxMessageSizeBytes?: number;
}

export const publicationChecks: PropChecks<PublicationOptions> = {
  name: aString,
  messageTypes: strings,
  maxMessageSizeBytes: aNumber,
};

/** Stands for all message types that are not named. */
const ANY_TYPE = '*';

/** Where an endpoint's events are published, as it will stand in its environment. */
export class PublicationRegistry {
  readonly #violations: Violations;
  readonly #destinations = new Map<string, string>();

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  /** What would leave open where a type goes is reported. */
  add(destination: string, messageTypes: readonly string[] = [ANY_TYPE]): void {
    if (messageTypes.length === 0) {
      this.#report('messageTypes is empty', 'Name the types, or leave it out for all types');
    }
    for (const type of messageTypes) this.#addType(type, destination);
  }

  /** To be read at synth; `undefined` when the endpoint publishes nothing, so that the variable is not set. */
  destinationsByType(): Readonly<Record<string, string>> | undefined {
    return this.#destinations.size === 0 ? undefined : Object.fromEntries(this.#destinations);
  }

  #addType(type: string, destination: string): void {
    if (type === '') this.#report('a message type is empty', 'Name it as the handlers publish it');
    const known = this.#destinations.get(type) ?? destination;
    this.#destinations.set(type, known);
    if (known === destination) return;
    const what = type === ANY_TYPE ? 'all other message types go' : `'${type}' goes`;
    this.#report(
      `${what} to '${known}' already`,
      `Publish it to one target that others subscribe to, or name the types that go to '${destination}' in messageTypes`,
    );
  }

  #report(problem: string, remedy: string): void {
    this.#violations.add('publishesTo', problem, remedy);
  }
}
