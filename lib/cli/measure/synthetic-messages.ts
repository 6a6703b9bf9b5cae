import { randomBytes, randomUUID } from 'node:crypto';
import { metadataBytesDefaults } from '../../capacity/shape-defaults.ts';
import { compress } from '../../core/outbox/compression.ts';
import { pack } from '../../core/outbox/packing.ts';
import type { MeasuredShape } from './measured-shape.ts';
import {
  emptyRecordBytes,
  operationBytes,
  operationsOf,
  type Sender,
  type SyntheticMessage,
  sagaItemBytes,
} from './stored-sizes.ts';

/** Letters that JSON keeps as they are, in one byte. */
const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (letter) => letter !== '"' && letter !== '\\',
);
/** Filled up to the length that makes records as large as asked. */
const endpointPrefix = 'measure-';
const maxEndpoint = 512;
const searchSteps = 12;

interface Lengths {
  readonly note: number;
  readonly body: number;
}

/** Messages whose items are exactly as large as a shape says. */
export class SyntheticMessages {
  /** Everything that a run stores is under this name or that of its saga. */
  readonly endpoint: string;
  readonly #shape: MeasuredShape;
  readonly #lengths: Lengths;
  /** Share of the letters of a body that are random, so that the bodies compress as asked. */
  readonly #randomShare: number;

  private constructor(shape: MeasuredShape, endpoint: string, lengths: Lengths, randomShare: number) {
    this.#shape = shape;
    this.endpoint = endpoint;
    this.#lengths = lengths;
    this.#randomShare = randomShare;
  }

  /**
   * @returns the sizes that no real message has, each with the path of its field
   * @throws SagaboxError `InvalidOutgoingMessage`, `TransactionLimit` for messages that are too large
   */
  static of(
    shape: MeasuredShape,
  ): SyntheticMessages | { problems: readonly { path: string; problem: string }[] } {
    const { outbox, sagaBytes, messageBytes, outgoing } = shape;
    // Without an outbox there is no record that could be as large as asked.
    const metadataBytes = outbox ? shape.metadataBytes : metadataBytesDefaults.packed;
    const endpointLength = metadataBytes - emptyRecordBytes('', randomUUID());
    const endpoint = endpointPrefix
      .padEnd(Math.min(endpointLength, maxEndpoint), '-')
      .slice(0, Math.max(1, endpointLength));
    const note = sagaBytes === 0 ? 0 : sagaBytes - sagaItemBytes(randomUUID(), '');
    const [empty] = operationsOf(message('Change', '', ['']), senderOf(shape, endpoint));
    const body = outgoing === 0 || empty === undefined ? 0 : messageBytes - operationBytes(empty);
    const problems = [
      ...outside('message.metadataBytes', metadataBytes, endpointLength, 1, maxEndpoint),
      ...outside('message.sagaBytes', sagaBytes, note, 0),
      ...outside('message.messageBytes', messageBytes, body, 0),
    ];
    if (problems.length > 0) return { problems };
    const withShare = (share: number) => new SyntheticMessages(shape, endpoint, { note, body }, share);
    return withShare(shareFor(shape, (share) => withShare(share).#ratio()));
  }

  /** The message that is measured, and the one before it that makes its saga. */
  next(): { before: SyntheticMessage | undefined; measured: SyntheticMessage } {
    const { sagaBytes, sagaChange, outgoing } = this.#shape;
    const note = randomString(this.#lengths.note);
    const bodies = Array.from({ length: outgoing }, () => this.#body());
    const isNew = sagaBytes > 0 && sagaChange === 'create';
    const measured = message(isNew ? 'Start' : 'Change', note, bodies);
    if (sagaBytes === 0 || isNew) return { before: undefined, measured };
    return { before: message('Start', note, [], measured.body.sagaId), measured };
  }

  #body(): string {
    const random = Math.round(this.#lengths.body * this.#randomShare);
    return randomString(random) + '-'.repeat(this.#lengths.body - random);
  }

  #ratio(): number {
    return compressionRatioOf(pack(operationsOf(this.next().measured, senderOf(this.#shape, this.endpoint))));
  }
}

/** Compressed bytes for each byte. */
export function compressionRatioOf(packed: Uint8Array): number {
  return compress(packed).byteLength / packed.byteLength;
}

function senderOf({ sagaBytes, destinations }: MeasuredShape, endpoint: string): Sender {
  return { endpoint, withSaga: sagaBytes > 0, destinations };
}

/** Random letters compress a little in any case: for a ratio of 1, all are random. */
function shareFor(
  { outgoing, outbox, compressionRatio }: MeasuredShape,
  ratioOf: (share: number) => number,
): number {
  if (outgoing === 0 || !outbox) return 1;
  let [low, high] = [0, 1];
  if (ratioOf(high) <= compressionRatio) return high;
  for (let step = 0; step < searchSteps; step += 1) {
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
  sagaId: string = randomUUID(),
): SyntheticMessage {
  return { id: randomUUID(), type, body: { sagaId, note, bodies } };
}

function randomString(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');
}

function outside(path: string, bytes: number, length: number, min: number, max = Number.POSITIVE_INFINITY) {
  const problem = (bound: number, which: string) => [
    {
      path,
      problem: `a run stores ${bytes - length + bound} bytes ${which}, keys and headers included, not ${bytes}`,
    },
  ];
  if (length < min) return problem(min, 'at least');
  return length > max ? problem(max, 'at most') : [];
}
