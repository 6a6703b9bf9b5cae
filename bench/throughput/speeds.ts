import { median } from '../../test/support/median.ts';
import type { MessagesPerSecond } from '../benchmark/benchmark-figures.ts';
import type { ContenderName } from './contender.ts';

/** Messages per second in each round; none of a contender that did not take part. */
export type Speeds = Readonly<Record<ContenderName, number[]>>;

export type ThroughputOfLoad = MessagesPerSecond & { readonly sagaboxDefaultConcurrency?: number };

export function throughputOf(speeds: Speeds): ThroughputOfLoad {
  const sagabox = median(speeds.sagabox);
  const itemized = median(speeds.itemized);
  const { sagaboxDefaultConcurrency: byDefault } = speeds;
  return {
    sagabox,
    itemized,
    ratio: sagabox / itemized,
    ...(byDefault.length > 0 && { sagaboxDefaultConcurrency: median(byDefault) }),
  };
}
