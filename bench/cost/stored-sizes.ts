import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import { itemSize, utf8Bytes } from '../../lib/dynamodb/item-size.ts';
import type { Contender } from './contenders.ts';
import { wanted } from './figures.ts';

/** Bytes that a commit of one saga and one message whose body is one digit stores around state and body. */
export function bytesAround(contender: Contender, calls: readonly MeteredCall[]) {
  const items = calls.flatMap((call) => contender.committedItems(call));
  const [saga] = items.flatMap((item) => contender.sagasIn(item));
  const [operation] = items.flatMap((item) => contender.operationsIn(item));
  if (saga?.state === undefined) throw new Error('No saga with a state was stored');
  if (operation === undefined) throw new Error('No outgoing message was stored');
  return { state: itemSize(saga) - itemSize({ state: saga.state }), body: utf8Bytes(operation) - '0'.length };
}

/** Why the figures of a commit would be those of something else than the wanted sagas and messages. */
export function otherThanWanted(
  contender: Contender,
  calls: readonly MeteredCall[],
  { sagas, messages, messageBytes }: Readonly<Record<'sagas' | 'messages' | 'messageBytes', number>>,
): string[] {
  const items = calls.flatMap((call) => contender.committedItems(call));
  const sagaBytes = items.flatMap((item) => contender.sagasIn(item)).map(itemSize);
  const bytesOfMessages = items.flatMap((item) => contender.operationsIn(item)).map(utf8Bytes);
  const otherSaga = sagaBytes.find((bytes) => bytes !== wanted.sagaBytes);
  const otherMessage = bytesOfMessages.find((bytes) => bytes !== messageBytes);
  return [
    otherSaga !== undefined && `a saga item of ${otherSaga} B`,
    otherMessage !== undefined && `an outgoing message of ${otherMessage} B`,
    sagaBytes.length !== sagas && `a commit of ${sagaBytes.length} sagas instead of ${sagas}`,
    bytesOfMessages.length !== messages &&
      `a commit of ${bytesOfMessages.length} outgoing messages instead of ${messages}`,
  ].filter((problem) => problem !== false);
}
