import { formatUnits } from '../../benchmark/format.ts';
import { type Case, type CostFigures, cases, type Figures } from '../../cost/figures.ts';
import { type Comparison, comparisonChart } from '../comparison-chart.ts';
import type { Section } from '../section.ts';

const kinds = ['calls', 'rcu', 'wcu'] as const;

export function costSection(cost: CostFigures): Section {
  const singles = cases.filter((name) => name !== 'batch10');
  return {
    heading: 'Cost',
    explanation: [
      `One message that is new, for a saga of 1,000 bytes that exists and is updated; its handler sends N messages. \`batch10\` is one invocation with
ten messages of ten sagas, whose handlers send one each; \`discard\` is one message that starts no saga and finds none. Every
request to DynamoDB and to SQS is counted; the figures are those of the most expensive one of several.`,
      `The itemized peer, \`bench/peers/itemized.ts\`, makes the published sequence of calls, with one item for each outgoing message,
on the same engines. It shares nothing between the messages of a batch, as the published layout does not.
[What a message costs](../reference/cost.md) tells how both follow from DynamoDB's rules.`,
      `Each message is 500 bytes of JSON as it is kept in the outbox, before sagabox compresses it: its body and the fields around it. sagabox keeps more of those
than the itemized peer, so the bodies of order data are about 130 bytes for sagabox and 190 for the peer. sagabox keeps all messages of a handler in
one item and compresses it when that saves units; the itemized peer stores each as it is. This is where N = 3 and N = 10 come from: the fields, and the words
of order data, repeat from message to message. [Without compression](../reference/cost.md) sagabox would take 8 WCU for N = 3 and 20 for N = 10: 0.571 of the itemized
layout's both times, which at N = 10 misses the goal of 0.40.`,
      `The rows \`incompressible\` are the other end: bodies of 500 bytes, the same for both, of base64 without any order, such as ciphers. The messages are
then larger than 500 bytes by the fields around their bodies, and what repeats is those fields.`,
      `In the row \`discard\` the itemized peer stores its metadata alone, and marks it. sagabox takes more WCU, since its transaction also has the condition
that the saga is still absent.`,
    ],
    tables: [
      {
        head: ['', ...['sagabox', 'itemized'].flatMap((name) => [`${name}: calls`, 'RCU', 'WCU'])],
        rows: cases.map((name) => [name, ...cells(cost[name].sagabox), ...cells(cost[name].itemized)]),
      },
    ],
    charts: [
      comparisonChart({
        name: 'cost-wcu',
        title: 'Write units of one message that sends N messages, or is discarded',
        unit: 'WCU',
        ...compared(cost, singles, 'wcu'),
      }),
      comparisonChart({
        name: 'cost-calls',
        title: 'Calls for one message that sends N, for a batch of ten, and for a discard',
        unit: 'calls',
        ...compared(cost, cases, 'calls'),
      }),
    ],
  };
}

function compared(
  cost: CostFigures,
  names: readonly Case[],
  kind: keyof Figures,
): Pick<Comparison, 'contenders' | 'groups' | 'format'> {
  return {
    contenders: ['sagabox', 'itemized'],
    groups: names.map((label) => ({
      label,
      values: [cost[label].sagabox[kind], cost[label].itemized[kind]],
    })),
    format: formatUnits,
  };
}

function cells(figures: Figures): string[] {
  return kinds.map((kind) => formatUnits(figures[kind]));
}
