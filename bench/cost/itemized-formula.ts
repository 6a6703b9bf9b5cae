import { deliveryOf } from '../../lib/capacity/steps.ts';
import { mapNames } from '../benchmark/in-turns.ts';
import { publishedSteps } from '../peers/published-formulas.ts';
import { cases, loadOf, type Units, wanted } from './figures.ts';

/**
 * The units of the itemized layout by the published formulas. A batch takes as much as its messages by
 * themselves: they share nothing.
 */
export const itemizedFormulas = mapNames(cases, (name): Units => {
  const { messages, outgoing, hasSagas } = loadOf(name);
  const { newMessage, discard } = publishedSteps({ ...wanted, outgoing });
  const { calls, rcu, wcu } = deliveryOf(hasSagas ? newMessage : discard);
  return { calls: messages * calls, rcu: messages * rcu, wcu: messages * wcu, refusedWcu: 0 };
});
