import { randomBytes, randomUUID } from 'node:crypto';
import { compressionRatioOf } from '../../capacity/measured/stored-ratio.ts';
import { emptyRecordBytes } from '../../capacity/records/planned-record.ts';
import { shapeDefaults, type WholeShape } from '../../capacity/shape-defaults.ts';
import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { embeddedLimits } from '../../outbox/embedded/embedded-write.ts';
import { pack } from '../../outbox/packing.ts';
import { emptyContributionBytes, operationsOf, sagaItemBytes, sagaRatioOf } from './stored-sizes.ts';
import type { SyntheticMessage } from './synthetic-endpoint.ts';

/** Letters that JSON keeps as they are, in one byte. */
const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (letter) => letter !== '"' && letter !== '\\',
);
/** Filled up to the length that makes records as large as asked. */
const endpointPrefix = 'measure-';
const MAX_ENDPOINT_LENGTH = 512;
const SEARCH_STEPS = 12;

/** Messages whose items are exactly as large as a shape says. */
export interface SyntheticMessages {
  /** Everything that a run stores is under this name or that of its saga. */
  readonly endpoint: string;
  /** The message that is measured, and those before it: one makes its saga, others leave their ids there. */
  readonly next: () => { before: readonly SyntheticMessage[]; measured: SyntheticMessage };
}

/** Messages of a saga that is there: one made it, and behind the first that has no room in its inbox all are alike. */
export function handledBefore({ layout, liveIds }: Pick<WholeShape, 'layout' | 'liveIds'>): number {
  if (layout !== 'embedded') return 1;
  return Math.max(1, Math.min(Math.round(liveIds), embeddedLimits.inboxMessages + 1));
}

/**
 * @returns the sizes that no real message has, each with the path of its field
 * @throws SagaboxError `InvalidOutgoingMessage`, `TransactionLimit` for messages that are too large
 */
export function syntheticMessages(
  shape: WholeShape,
): SyntheticMessages | { problems: readonly { path: string; problem: string }[] } {
  const { outbox, sagaBytes, sagaChange, messageBytes, outgoing } = shape;
  // Without an outbox there is no record that could be as large as asked.
  const metadataBytes = outbox ? shape.metadataBytes : shapeDefaults.metadataBytes;
  const endpointLength = metadataBytes - emptyRecordBytes;
  const endpoint = endpointPrefix
    .padEnd(Math.min(endpointLength, MAX_ENDPOINT_LENGTH), '-')
    .slice(0, Math.max(1, endpointLength));
  const noteLength = sagaBytes === 0 ? 0 : sagaBytes - sagaItemBytes(randomUUID(), '');
  const [empty] = operationsOf(message('Change', '', ['']), shape, endpoint);
  const bodyLength = outgoing === 0 ? 0 : messageBytes - utf8Bytes(JSON.stringify(empty));
  const { appended, collected, contributionBytes } = shape;
  const valueLength =
    appended + collected === 0
      ? 0
      : contributionBytes - emptyContributionBytes(endpoint, randomUUID(), randomUUID());
  const problems = [
    ...outside('message.metadataBytes', metadataBytes, endpointLength, 1, MAX_ENDPOINT_LENGTH),
    ...outside('message.sagaBytes', sagaBytes, noteLength, 0),
    ...outside('message.messageBytes', messageBytes, bodyLength, 0),
    ...outside('message.contributionBytes', contributionBytes, valueLength, 0),
  ];
  if (problems.length > 0) return { problems };

  const values = (count: number) => Array.from({ length: count }, () => '-'.repeat(valueLength));
  const startsSaga = sagaBytes > 0 && sagaChange === 'create';
  const noteWith = (randomShare: number) =>
    randomString(Math.round(noteLength * randomShare)).padEnd(noteLength, '-');
  const noteShare =
    sagaBytes > 0
      ? shareFor(shape.sagaCompressionRatio, (share) => sagaRatioOf(randomUUID(), noteWith(share)))
      : 1;
  const measuredWith = (randomShare: number) => {
    const random = Math.round(bodyLength * randomShare);
    const body = () => randomString(random).padEnd(bodyLength, '-');
    return message(
      startsSaga ? 'Start' : 'Change',
      noteWith(noteShare),
      Array.from({ length: outgoing }, body),
      values(appended),
    );
  };
  const share =
    outgoing > 0 && outbox
      ? shareFor(shape.compressionRatio, (randomShare) => {
          const measured = measuredWith(randomShare);
          const operations = operationsOf(measured, shape, endpoint);
          return compressionRatioOf(pack(operations, { endpoint, messageId: measured.id }));
        })
      : 1;
  const next = () => {
    const measured = measuredWith(share);
    const { sagaId, note } = measured.body;
    if (sagaBytes === 0 || startsSaga) return { before: [], measured };
    // Behind the first one they change nothing.
    const start = () => message('Start', note, [], [], sagaId);
    const before = Array.from({ length: handledBefore(shape) }, start);
    if (collected > 0) before.push(message('Append', '', [], values(collected), sagaId));
    return { before, measured };
  };
  return { endpoint, next };
}

/**
 * The share of the letters that are random, so that they compress as asked. Random letters compress a little
 * in any case: for a ratio of 1, all are random.
 */
function shareFor(compressionRatio: number, ratioOf: (share: number) => number): number {
  let [low, high] = [0, 1];
  if (ratioOf(high) <= compressionRatio) return high;
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (ratioOf(middle) > compressionRatio) high = middle;
    else low = middle;
  }
  return low;
}

function message(
  type: SyntheticMessage['type'],
  note: string,
  bodies: readonly string[],
  values: readonly string[] = [],
  sagaId: string = randomUUID(),
): SyntheticMessage {
  return { id: randomUUID(), type, body: { sagaId, note, bodies, values } };
}

function randomString(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');
}

/** @param length of the string that makes the item as large as asked */
function outside(path: string, bytes: number, length: number, min: number, max = Number.POSITIVE_INFINITY) {
  if (length >= min && length <= max) return [];
  const [bound, which] = length < min ? [min, 'at least'] : [max, 'at most'];
  const stored = bytes - length + bound;
  return [
    { path, problem: `a run stores ${stored} bytes ${which}, keys and headers included, not ${bytes}` },
  ];
}
