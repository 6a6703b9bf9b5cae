import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { MessagePlan } from '../../capacity/index.ts';
import { formatUnits } from './format.ts';

/** The steps that take units, in the order of a message. Lease and load stand for each other, and a collect is a load. */
export const stepSeries = ['dedup check', 'load or lock', 'commit', 'mark', 'clear'] as const;

/** A character each, so that a bar can be read without colours. */
const looks = {
  'dedup check': { character: '.', color: 'cyan' },
  'load or lock': { character: '-', color: 'yellow' },
  commit: { character: '#', color: 'green' },
  mark: { character: '=', color: 'magenta' },
  clear: { character: '+', color: 'blue' },
} as const satisfies Record<(typeof stepSeries)[number], object>;

const BAR_WIDTH = 58;

/** The units of a message by {@link stepSeries}. */
export function unitsBySeries({ steps }: MessagePlan, unit: 'rcu' | 'wcu'): number[] {
  const seriesOf = (step: string) =>
    ['load', 'lock', 'collect', 'release'].includes(step) ? 'load or lock' : step;
  return stepSeries.map((name) =>
    sum(steps.filter(({ step }) => seriesOf(step) === name).map((of) => of[unit])),
  );
}

/** Where the units of a new message go: a bar of characters for reads, one for writes, and what they mean. */
export function unitBars(message: MessagePlan, colored: boolean): string[] {
  const { newMessage } = message;
  const units = ['rcu', 'wcu'] as const;
  const whole = Math.max(newMessage.rcu, newMessage.wcu);
  const width = Math.max(...units.map((unit) => formatUnits(newMessage[unit]).length));
  const drawn = (name: keyof typeof looks, length: number) => {
    const { character, color } = looks[name];
    const part = character.repeat(length);
    return colored && length > 0 ? styleText(color, part, { validateStream: false }) : part;
  };
  const bars = units.map((unit) => {
    const lengths = partLengths(unitsBySeries(message, unit), BAR_WIDTH, whole);
    const parts = stepSeries.map((name, index) => drawn(name, lengths[index] ?? 0));
    const rest = ' '.repeat(BAR_WIDTH - sum(lengths));
    const total = formatUnits(newMessage[unit]).padStart(width);
    return `${unit.toUpperCase()} ${total} [${parts.join('')}${rest}]`;
  });
  const isUsed = (index: number) => units.some((unit) => (unitsBySeries(message, unit)[index] ?? 0) > 0);
  const used = stepSeries.filter((_name, index) => isUsed(index));
  return [...bars, ...(used.length > 0 ? [used.map((name) => `${drawn(name, 1)} ${name}`).join('   ')] : [])];
}

/** Only a terminal gets colours, and not if NO_COLOR or TERM forbids them. */
export function wantsColors(
  stream: Partial<Pick<WriteStream, 'isTTY' | 'hasColors' | 'getColorDepth'>>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && stream.hasColors?.(environment) === true;
}

/**
 * The lengths of the parts of a bar, in characters: at least one for each part that is there, which the
 * longest part makes up for.
 */
export function partLengths(values: readonly number[], width: number, whole: number): number[] {
  const exact = values.map((value) => (whole > 0 ? (value / whole) * width : 0));
  const lengths = exact.map((length) => (length > 0 ? Math.max(1, Math.round(length)) : 0));
  const parts = lengths.filter((length) => length > 0).length;
  const filled = Math.min(width, Math.max(parts, Math.round(sum(exact))));
  while (sum(lengths) !== filled) {
    const longest = lengths.indexOf(Math.max(...lengths));
    lengths[longest] = (lengths[longest] ?? 0) + Math.sign(filled - sum(lengths));
  }
  return lengths;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
