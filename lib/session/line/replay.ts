import { report } from '../../attempt/report.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { differenceOf } from '../../messages/fingerprint.ts';
import { headerNames } from '../../messages/headers.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import { readResponse } from '../../outbox/stored-response.ts';
import { loadBody } from '../../pipeline/read-message.ts';
import { dispatchSession } from './dispatch-session.ts';
import type { Answer, SessionAttempt } from './session-attempt.ts';

/**
 * Answers a request that was committed before, by this invocation or by another one.
 *
 * @param dispatches whether to send what is left: not while the request that committed it is about to do so
 * @throws SagaboxError `IdempotencyKeyReused` for a record of another request, `UnreadableItem` or
 *   `ClaimCheckNotFound` for a response that cannot be read back
 */
export async function replay(
  attempt: SessionAttempt,
  record: OutboxRecord,
  dispatches: boolean,
): Promise<Answer> {
  if (record.fingerprint && differenceOf(record.fingerprint, attempt.fingerprint) !== undefined)
    throw new SagaboxError('IdempotencyKeyReused', {});
  const response = await responseOf(attempt, record);
  const { dispatched } = record;
  const isSent = dispatched || !dispatches || (await dispatchSession(attempt, record));
  await report(attempt, dispatched || !dispatches ? 'duplicate' : isSent ? 'redispatched' : 'leftToRelay');
  return { response };
}

async function responseOf(attempt: SessionAttempt, { response }: OutboxRecord): Promise<unknown> {
  if (response === undefined) return undefined;
  if ('claimCheck' in response) {
    const received = { ...attempt.received, headers: { [headerNames.claimCheck]: response.claimCheck } };
    return (await loadBody({ ...attempt, received })).body;
  }
  try {
    return readResponse(response);
  } catch (error) {
    const item = `The outbox record of request '${attempt.request.id}' at endpoint '${attempt.flow.endpoint}'`;
    const detail = `its response is damaged: ${thrownMessage(error)}`;
    throw new SagaboxError('UnreadableItem', { item, detail }, { cause: error });
  }
}
