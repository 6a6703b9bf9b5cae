import { type MessageShape, planMessage } from 'sagabox/capacity';
import { pendingIn } from '../../lib/capacity/measured/embedded-items.ts';
import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import { compressionRatioOf, storedRatio } from '../../lib/capacity/measured/stored-ratio.ts';
import { endpointBytes, packedBytes } from '../../lib/capacity/records/planned-record.ts';
import { shapeDefaults, wholeShape } from '../../lib/capacity/shape-defaults.ts';
import { sum, sumOfUnits, timesUnits } from '../../lib/capacity/steps.ts';
import { itemSize, utf8Bytes } from '../../lib/dynamodb/item-size.ts';
import { compressState } from '../../lib/saga/item/compressed-state.ts';
import { withCompressedState } from '../../lib/saga/item/write-saga-item.ts';
import { endpoint } from '../orders/order-messages.ts';
import type { Contender, Item } from './contenders.ts';
import { type Case, type CaseLoad, loadOf, type Units, wanted } from './figures.ts';
import type { MeasuredCase } from './run.ts';

type PlannedUnits = Pick<Units, 'rcu' | 'wcu'>;

/** What the plan says of a case, for the sizes that were stored. The plan knows no calls that messages share. */
export function plannedUnits(name: Case, { calls }: MeasuredCase, contender: Contender): PlannedUnits {
  const load = loadOf(name);
  const items = calls.flatMap((call) => contender.committedItems(call));
  if (contender.isEmbedded) {
    // An item that holds all of a message may be near its next unit: each is planned by itself.
    return sumOfUnits(items.map((item) => unitsOf(embeddedShape(load, item, contender), load)));
  }
  const shape = shapeOf(load, items, contender, calls);
  return timesUnits(unitsOf(shape, load), load.messages);
}

function unitsOf(shape: MessageShape, { hasSagas }: CaseLoad): PlannedUnits {
  const { newMessage, discard } = planMessage(shape, { sharedTable: true });
  return hasSagas ? newMessage : discard;
}

function shapeOf(
  { outgoing }: CaseLoad,
  items: readonly Item[],
  contender: Contender,
  calls: readonly MeteredCall[] = [],
): MessageShape {
  const stored = items.flatMap((item) => contender.operationsIn(item));
  return {
    sagaBytes: wanted.sagaBytes,
    outgoing,
    messageBytes: Math.max(wanted.messageBytes, ...stored.map(utf8Bytes)),
    compressionRatio: storedRatio(calls) ?? 1,
  };
}

/** Of a record of this endpoint: its name is in the items of its sagas, too. */
const metadataBytes =
  shapeDefaults.metadataBytes - endpointBytes(shapeDefaults.metadataBytes) + utf8Bytes(endpoint);

/** To the byte as it was stored, whatever names and ids the plan takes for usual. */
function embeddedShape(load: CaseLoad, item: Item, contender: Contender): MessageShape {
  const { messageBytes = 0, ...shape } = shapeOf(load, [item], contender);
  const { outgoing } = load;
  const pending = pendingIn(item).map(({ packed }) => packed);
  const storedBytes = sum(pending, ({ byteLength }) => byteLength);
  const ofNames = storedBytes - packedBytes(wholeShape({ ...shape, messageBytes, metadataBytes })).stored;
  return {
    ...shape,
    metadataBytes,
    layout: 'embedded',
    liveIds: contender.handledBefore,
    messageBytes: outgoing === 0 ? messageBytes : messageBytes + Math.round(ofNames / outgoing),
    compressionRatio: Math.max(...pending.map(compressionRatioOf), 0) || 1,
    sagaCompressionRatio: Math.max(...contender.sagasIn(item).map(compressedRatio), 0) || 1,
  };
}

function compressedRatio(saga: Item): number {
  const state = saga.state?.M && compressState(saga.state.M);
  return state === undefined ? 1 : itemSize(withCompressedState(saga, state)) / itemSize(saga);
}
