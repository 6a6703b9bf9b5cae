import type { MessageSchemas } from '../../messages/schema.ts';
import type { ContractUse } from './contract-uses.ts';
import type { PayloadSchemas } from './payload-schemas.ts';

/** For `--json`. */
export function objectOf(uses: readonly ContractUse[], payloads: PayloadSchemas): object {
  const schemasOf = (place: string, schemas: MessageSchemas) =>
    Object.fromEntries(
      Object.entries(schemas).map(([type, schema]) => [
        type,
        payloads.of(`${place}: ${type}`, schema) ?? null,
      ]),
    );
  return {
    contracts: uses.map((use) => ({
      name: use.name,
      messages: schemasOf(use.name, use.messages),
      replies: schemasOf(`${use.name}.replies`, use.replies),
      takenBy: receiversOf(use),
      sentBy: use.sentBy.map(({ origin }) => origin),
    })),
  };
}

export function linesOf(uses: readonly ContractUse[]): string[] {
  return uses.flatMap((use) => {
    const { name, messages, sentBy, isPublished } = use;
    const replies = Object.keys(use.replies);
    return [
      name,
      `  messages: ${Object.keys(messages).join(', ')}`,
      ...(replies.length > 0 ? [`  replies: ${replies.join(', ')}`] : []),
      `  taken by: ${receiversOf(use).join(', ') || 'none of the modules'}`,
      `  ${isPublished ? 'published' : 'sent'} by: ${sentBy.map(({ origin }) => origin).join(', ') || 'none of the modules'}`,
    ];
  });
}

function receiversOf({ takenBy }: ContractUse): string[] {
  return [...new Set([...takenBy.values()].flat().map(({ origin }) => origin))];
}
