import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../dynamodb/item-attributes.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import type { Lease } from '../../kernel/lease.ts';
import type { OutboxRecord } from '../record.ts';
import type { PendingEntry } from './embedded-item.ts';
import { readPendingAttribute } from './embedded-items.ts';
import type { EntryReference } from './entry-reference.dynamodb.ts';
import { pendingRecord } from './find-in-item.ts';

/** @throws Error for a damaged entry */
export function pendingEntry(attribute: AttributeValue): PendingEntry {
  const { sent, lease } = attribute.M ?? {};
  const held = leaseOf(lease);
  return {
    ...readPendingAttribute(attribute),
    ...(sent?.B && { sent: sent.B }),
    ...(held && { lease: held }),
  };
}

function leaseOf(lease: AttributeValue | undefined): Lease | undefined {
  const { owner, until, postponed } = lease?.M ?? {};
  if (until?.N === undefined) return undefined;
  return {
    owner: owner?.S ?? '',
    until: new Date(Number(until.N)),
    ...(postponed?.BOOL === true && { postponed: true }),
  };
}

/**
 * Returns the record of a message from its entry in the item; `undefined` once the message is marked.
 *
 * @throws SagaboxError `UnreadableItem`
 */
export function recordInItem(
  item: Item,
  { sagaItem: { partition, key } }: EntryReference,
): OutboxRecord | undefined {
  const pending = item.pending?.M ?? {};
  const found = pending[key];
  if (found === undefined) return undefined;
  const sagaItem = {
    partition,
    key,
    isTombstone: item.state === undefined,
    pendingCount: Object.keys(pending).length,
  };
  try {
    const endpoint = item.endpoint?.S;
    if (endpoint === undefined) throw new Error('it has no endpoint');
    return pendingRecord(endpoint, pendingEntry(found), sagaItem);
  } catch (error) {
    if (error instanceof SagaboxError) throw error;
    const facts = { item: `The item '${partition}'`, detail: thrownMessage(error) };
    throw new SagaboxError('UnreadableItem', facts, { cause: error });
  }
}
