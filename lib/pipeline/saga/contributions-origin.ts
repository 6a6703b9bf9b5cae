import type { Attempt } from '../../attempt/attempt.ts';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import { roundedIntegerIn } from '../../kernel/values/rounded-integer.ts';
import { headerNames } from '../../messages/headers.ts';
import { type IncomingMessage, isTimeout } from '../../messages/message.ts';
import type { Contributions } from '../../saga/contributions.ts';
import { contributionRole } from '../../saga/definition/contribution-roles.ts';
import type { ContributionsOrigin } from '../../saga/draft-contributions.ts';
import type { OpenedSaga } from '../../saga/saga-state.ts';

/**
 * The parts of a draft with which a handler appends to its saga, or collects.
 *
 * @param body the received body, before its schema changed it: the message may come again with it
 */
export function contributionsOrigin(
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
    // A copy, as the handler may change the body.
    messageBody: role === 'collect' ? structuredClone(body) : undefined,
    roundedIn: (key) => roundedIntegerIn(key, body, message.body),
    role,
    continues: isTimeout(message) ? continues.split('#') : [],
    now: ports.clock.now(),
    // The configuration of the flow refuses a saga with a role if the ports have no contributions.
    find: (createdAt, key, atMost) =>
      (ports.contributions as Contributions).find(identity, createdAt, key, atMost, meter),
    // An abandoned read has no effect.
    beforeAbort: (work) => beforeAbort(work, signal),
  };
}
