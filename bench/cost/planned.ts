import { planMessage } from 'sagabox/capacity';
import { storedRatio } from '../../lib/capacity/measured/stored-ratio.ts';
import { utf8Bytes } from '../../lib/core/storage/item-size.ts';
import type { Contender } from './contenders.ts';
import { type Case, loadOf, type Units, wanted } from './figures.ts';
import type { MeasuredCase } from './run.ts';
import { putItems } from './stored-sizes.ts';

/** What the plan says of a case, for the sizes that were stored. The plan knows no calls that messages share. */
export function plannedUnits(
  name: Case,
  { calls }: MeasuredCase,
  contender: Contender,
): Pick<Units, 'rcu' | 'wcu'> {
  const { messages, outgoing, hasSagas } = loadOf(name);
  const stored = putItems(calls).flatMap((item) => contender.operationsIn(item));
  const plan = planMessage({
    sagaBytes: wanted.sagaBytes,
    outgoing,
    messageBytes: Math.max(wanted.messageBytes, ...stored.map(utf8Bytes)),
    compressionRatio: storedRatio(calls) ?? 1,
  });
  const { rcu, wcu } = hasSagas ? plan.newMessage : plan.discard;
  return { rcu: messages * rcu, wcu: messages * wcu };
}
