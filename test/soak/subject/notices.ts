import { randomUUID } from 'node:crypto';
import { defineHandlers } from 'sagabox';
import { number, object } from 'valibot';
import { sendEntries } from './entry.ts';
import { markOf } from './mark.ts';

export const noticeTypes = { marked: 'MarkedNotice', sent: 'SentNotice' } as const;

export interface NoticesOptions {
  readonly markTable: string;
  /** Whether this run of a handler is to fail, as by an error of its own. */
  readonly fails: () => boolean;
}

/** Handlers without a saga: one with a write of the user, one whose only write is the outbox record. */
export function notices({ markTable, fails }: NoticesOptions) {
  const body = object({ sends: number(), fillingBytes: number() });
  return defineHandlers({
    messages: { [noticeTypes.marked]: body, [noticeTypes.sent]: body },
    handlers: {
      [noticeTypes.marked]({ id, body: sends }, { send, transaction }) {
        const attempt = randomUUID();
        transaction.add(markOf(markTable, id, attempt));
        sendEntries(send, id, attempt, sends);
        if (fails()) throw new Error('The handler failed');
      },
      [noticeTypes.sent]({ id, body: sends }, { send }) {
        sendEntries(send, id, randomUUID(), sends);
        if (fails()) throw new Error('The handler failed');
      },
    },
  });
}
