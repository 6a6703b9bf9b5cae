import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { filesIn } from '../../test/support/source-files.ts';
import { bundle } from './bundle.ts';
import { importChains } from './import-chains.ts';

/** The capabilities of which a plain saga uses nothing, by their files. */
const unused = {
  'the relay': /^lib\/(compose\/)?relay\//,
  'the client of Lambda': /\.lambda\.ts$/,
  sessions: /^lib\/((compose\/)?session\/|.*\/request-leases)/,
  producers: /^lib\/compose\/producer\//,
  'the embedded outbox':
    /\/(embedded|embedded-outbox)\/|\/(saga-item-outbox|commit-embedded|look-up-in-item)\.ts$/,
  'compensation and scatter-gather': /^lib\/patterns\//,
  OpenTelemetry: /^lib\/opentelemetry\//,
  'tests and tools': /^lib\/(testing|local|cli|charts|constructs|capacity)\//,
};

describe('the bundle of a plain saga', () => {
  let metafile: Metafile;
  beforeAll(async () => {
    ({ metafile } = await bundle('sagabox'));
  });

  it.each(Object.entries(unused))('holds no code of %s', (_capability, files) => {
    expect(importChains(metafile, files)).toEqual([]);
  });

  it.each(Object.entries(unused))('is asked for files of %s that there are', (_capability, files) => {
    expect(filesIn('lib', '.ts').filter((path) => files.test(path))).not.toEqual([]);
  });

  it('is told by the imports that lead to a file', () => {
    const [chain = ''] = importChains(metafile, /saga-outbox\.ts$/);
    expect(chain.split(' -> ')).toEqual([
      'bench/bundle/sagabox-entry.ts',
      'bench/bundle/order-handler.ts',
      'lib/index.ts',
      'lib/compose/handler/saga-outbox.ts',
    ]);
  });

  it('is told by the importer of what the root exports too', () => {
    const [chain = ''] = importChains(metafile, /dynamodb\/item-size\.ts$/);
    const importer = chain.split(' -> ').at(-2);
    expect(importer).toMatch(/^lib\/(?!index)/);
  });
});
