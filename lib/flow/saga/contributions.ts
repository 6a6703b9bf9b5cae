import { beforeAbort } from '../../core/async/before-abort.ts';
import { roundedIntegerIn } from '../../core/checks/rounded-integer.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import type { IncomingMessage } from '../../core/incoming/message.ts';
import { contributionRole } from '../../core/saga/contribution-roles.ts';
import type { ContributionsOrigin } from '../../core/saga/draft-contributions.ts';
import type { OpenedSaga } from '../../core/saga/saga-state.ts';
import type { Contributions } from '../../ports/contributions.ts';
import type { Attempt } from '../attempt.ts';
import { isTimeout } from './timeouts.ts';

/**
 * What the handler of a message may append to its saga, or collect.
 *
 * @param body as it was received, with which the message may come again
 */
export function draftedBy(
  { flow, meter, signal }: Attempt,
  message: IncomingMessage,
  { identity }: OpenedSaga,
  body: unknown,
): Omit<ContributionsOrigin, 'saga' | 'createdAt' | 'assertOpen'> {
  const { ports, saga } = flow;
  const role = contributionRole(saga ?? {}, message.type);
  const { [headerNames.continues]: continues = '' } = message.headers;
  return {
    endpoint: flow.endpoint,
    messageId: message.id,
    messageType: message.type,
    // The handler may change it.
    messageBody: role === 'collect' ? structuredClone(body) : undefined,
    roundedIn: (key) => roundedIntegerIn(key, body, message.body),
    role,
    continues: isTimeout(message) ? continues.split('#') : [],
    now: ports.clock.now(),
    // Whoever builds the flow refuses a saga with a role whose ports lack them.
    find: (createdAt, key, atMost) =>
      (ports.contributions as Contributions).find(identity, createdAt, key, atMost, meter),
    // An abandoned read has no effect.
    beforeAbort: (work) => beforeAbort(work, signal),
  };
}
