import type { MessageSchemas } from '../../messages/schema.ts';
import type { AnyStep } from './definition.ts';
import type { ReplyKind } from './process.ts';

/** A message type that a process waits for, and what it says. */
export interface ExpectedReply {
  readonly type: string;
  readonly event: { readonly kind: ReplyKind; readonly step: string };
}

/** The replies that steps wait for, each type once if the definition is right. */
export function expectedReplies(steps: Readonly<Record<string, AnyStep>>): ExpectedReply[] {
  return Object.entries(steps).flatMap(([step, { completedBy, declinedBy, compensation }]) => {
    const replies: [ReplyKind, string | undefined][] = [
      ['completed', completedBy],
      ['declined', declinedBy],
      ['compensated', compensation?.completedBy],
      ['compensationDeclined', compensation?.declinedBy],
    ];
    return replies.flatMap(([kind, type]) => (type === undefined ? [] : [{ type, event: { kind, step } }]));
  });
}

/** Their schemas, as the contracts of the steps have them. */
export function replySchemas(steps: Readonly<Record<string, AnyStep>>): MessageSchemas {
  const schemas = expectedReplies(steps).map(
    ({ type, event }) => [type, steps[event.step]?.to.replies[type]] as const,
  );
  return Object.fromEntries(schemas) as MessageSchemas;
}
