import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { sendingOf } from '../../compose/sending-settings.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import {
  type SessionHandler,
  type SessionResult,
  SessionRunner,
  type TestTime,
} from '../session/session-runner.ts';
import { testDefaults } from '../test-defaults.ts';
import type { AppSession } from './app-options.ts';
import type { AppEndpointView } from './app-types.ts';
import type { SharedParts } from './endpoint-in-app.ts';

/** A function of an app with an `outboxSession`: it stands on the tables and destinations of the app. */
export class SessionInApp implements AppEndpointView {
  readonly outgoing: OutgoingMessage[] = [];
  readonly transactionItems: TransactWriteItem[] = [];
  readonly timeouts: AppEndpointView['timeouts'] = [];
  readonly discarded: AppEndpointView['discarded'] = [];
  readonly errorQueue: AppEndpointView['errorQueue'] = [];
  readonly #runner: SessionRunner;

  constructor({ session, ...given }: AppSession, shared: SharedParts, time: TestTime) {
    const { endpoint, context: _context, publishTo = testDefaults.publishTo, ...others } = given;
    const { storage, tables, bodies, network, options } = shared;
    const { logger } = options;
    this.#runner = new SessionRunner(
      'testApp',
      session as SessionHandler,
      { ...given, ...(logger && { logger }) },
      {
        endpoint,
        storage,
        tables,
        bodies,
        dispatcher: network.dispatcherOf(endpoint, this.outgoing),
        sending: {
          ...sendingOf({ ...others, endpoint, destinations: {}, publishTo }, {}),
          destinations: network.destinations,
          schedules: true,
        },
        time,
      },
    );
  }

  async run(event: unknown): Promise<SessionResult<unknown>> {
    const result = await this.#runner.run(event);
    this.transactionItems.push(...result.transactionItems);
    return result;
  }
}
