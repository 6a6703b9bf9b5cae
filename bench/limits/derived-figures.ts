import type { BundleFigures, OverheadOfBatch } from '../benchmark/benchmark-figures.ts';
import { formatKB, formatWhole } from '../benchmark/format.ts';
import { concurrency } from '../throughput/concurrency.ts';
import { contentionFigures } from './contention-figures.ts';
import { type CostFigureName, costRatios } from './cost-figures.ts';
import { type DerivedFigure, derived } from './derived-figure.ts';
import { growthFigures } from './growth-figures.ts';

export type { CostFigureName };

const otherFigures = {
  overheadBatch1: overhead('batch1', 'Time of one record', 'sagaboxMicros', 'powertoolsMicros'),
  overheadBatch10: overhead('batch10', 'Time of a batch of ten records', 'sagaboxMicros', 'powertoolsMicros'),
  sagaTimeBatch10: overhead(
    'batch10',
    'Time of a batch of ten records, with saga and send',
    'sagaboxSagaMicros',
    'powertoolsMicros',
  ),
  allocatedBatch1: overhead(
    'batch1',
    'Allocations of one record',
    'sagaboxAllocatedBytes',
    'powertoolsAllocatedBytes',
  ),
  allocatedBatch10: overhead(
    'batch10',
    'Allocations of a batch of ten records',
    'sagaboxAllocatedBytes',
    'powertoolsAllocatedBytes',
  ),
  sagaAllocatedBatch10: overhead(
    'batch10',
    'Allocations of a batch of ten records, with saga and send',
    'sagaboxSagaAllocatedBytes',
    'powertoolsAllocatedBytes',
  ),
  bundleKB: derived('bundle', 'Bundle, minified', ({ sagaboxKB }) => sagaboxKB, formatKB),
  bundleGzipKB: derived(
    'bundle',
    'Bundle, minified and gzipped',
    ({ sagaboxGzipKB }) => sagaboxGzipKB,
    formatKB,
  ),
  bundleRatio: derived('bundle', 'Bundle, minified: sagabox / Powertools', bundleRatio('KB')),
  bundleGzipRatio: derived(
    'bundle',
    'Bundle, minified and gzipped: sagabox / Powertools',
    bundleRatio('GzipKB'),
  ),
  sdkLoadedAtOnce: derived(
    'coldLoadMs',
    'Packages of the AWS SDK that the bundle of sagabox loads at once',
    (loads) => loads.sdkLoadedAtOnce.sagabox.length,
    formatWhole,
  ),
  throughput1: throughput('1'),
  throughput10: throughput('10'),
  throughput50: throughput('50'),
  throughput50Default: derived(
    'throughput',
    'Messages per second, 50 at a time, with the default `concurrency`: sagabox / itemized',
    ({ 50: { sagaboxDefaultConcurrency, itemized } }) => sagaboxDefaultConcurrency / itemized,
  ),
} as const satisfies Record<string, DerivedFigure>;

export type FigureName =
  | CostFigureName
  | keyof typeof otherFigures
  | keyof typeof contentionFigures
  | keyof typeof growthFigures;

export const derivedFigures: Readonly<Record<FigureName, DerivedFigure>> = {
  ...costRatios,
  ...otherFigures,
  ...contentionFigures,
  ...growthFigures,
};

function overhead(
  batch: 'batch1' | 'batch10',
  what: string,
  own: keyof OverheadOfBatch,
  peer: keyof OverheadOfBatch,
): DerivedFigure {
  return derived('overhead', `${what}: sagabox / Powertools`, (figures) => {
    return figures[batch][own] / figures[batch][peer];
  });
}

function bundleRatio(kind: 'KB' | 'GzipKB') {
  return (bundle: BundleFigures) => bundle[`sagabox${kind}`] / bundle[`powertools${kind}`];
}

function throughput(atATime: '1' | '10' | '50'): DerivedFigure {
  const setting = atATime === '50' ? `, with \`concurrency: ${concurrency}\`` : '';
  const title = `Messages per second, ${atATime} at a time${setting}: sagabox / itemized`;
  return derived('throughput', title, (of) => of[atATime].ratio);
}
