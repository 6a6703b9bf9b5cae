import type { Context as LambdaContext } from 'aws-lambda';
import type { OutboxSessionScope } from '../../session/session-context.ts';
import type { OpenSession } from './open-session.ts';

/** Runs the session of one event, up to its answer. @throws as `runOutboxSession` */
export async function runSession(
  open: OpenSession,
  event: unknown,
  context: Partial<LambdaContext>,
  handle: (scope: OutboxSessionScope) => unknown,
): Promise<unknown> {
  const opened = await open(event, context);
  if ('answer' in opened) return opened.answer.response;
  const { session, leave } = opened;
  const handling = async () => await handle(session.scope);
  let response: unknown;
  try {
    let answer = await session.begin();
    if (answer === undefined) {
      response = await session.within(session.run(handling));
      answer = await session.commit(response);
    }
    return answer.response;
  } catch (error) {
    return (await session.fail(error, response)).response;
  } finally {
    await leave();
  }
}
