import type { BundleFigures, BundlePart } from '../../benchmark/benchmark-figures.ts';
import { formatKB, formatSignificant } from '../../benchmark/format.ts';
import { comparisonChart } from '../comparison-chart.ts';
import type { Section, Table } from '../section.ts';

const contenders = ['sagabox', 'Powertools', 'bare middy'];
/** Smaller ones are told together. */
const smallestPartKB = 0.5;

export function bundleSection(bundle: BundleFigures): Section {
  const minified = [bundle.sagaboxKB, bundle.powertoolsKB, bundle.middyKB];
  const gzipped = [bundle.sagaboxGzipKB, bundle.powertoolsGzipKB, bundle.middyGzipKB];
  return {
    heading: 'Bundle',
    explanation: [
      `A function of one saga, bundled and minified by esbuild as the CDK bundles for Lambda, and gzipped. Beside it Powertools' batch processing with
an idempotent handler, and a handler in bare middy. The AWS SDK is external for all of them, and middy is a part of all of them: a handler
that is written with it has it anyway. No schema library is in any. Kilobytes are of 1,000 bytes.`,
    ],
    tables: [
      {
        head: ['', 'minified', 'gzipped'],
        rows: contenders.map((name, index) => [
          name,
          formatKB(minified[index] ?? Number.NaN),
          formatKB(gzipped[index] ?? Number.NaN),
        ]),
      },
      partsTable("where sagabox's bytes are, minified", bundle.sagaboxParts),
      partsTable("where Powertools' bytes are, minified", bundle.powertoolsParts),
    ],
    charts: [
      comparisonChart({
        name: 'bundle',
        title: 'Size of the bundle, the AWS SDK external',
        unit: 'kilobytes',
        contenders,
        groups: [
          { label: 'minified', values: minified },
          { label: 'gzipped', values: gzipped },
        ],
        format: formatSignificant,
      }),
    ],
  };
}

function partsTable(heading: string, parts: readonly BundlePart[]): Table {
  const large = parts.filter(({ kB }) => kB >= smallestPartKB);
  const others = parts.filter(({ kB }) => kB < smallestPartKB).reduce((sum, { kB }) => sum + kB, 0);
  const rows = large.map(({ part, kB }) => [part, formatKB(kB)]);
  return { head: [heading, 'size'], rows: others === 0 ? rows : [...rows, ['others', formatKB(others)]] };
}
