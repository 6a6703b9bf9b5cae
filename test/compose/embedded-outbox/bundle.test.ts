import { afterAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import { lambdaBundle } from '../../support/lambda-bundle.ts';
import { filesIn, repository } from '../../support/source-files.ts';

/** The code that no saga of records needs. */
const embedded =
  /^lib\/(outbox\/embedded|compose\/embedded-outbox)\/|\/(commit-embedded|look-up-in-item|saga-item-outbox)\.ts$/;

afterAll(() => stop());

/** The files of which a function with a saga has code. */
async function filesOf(outbox: string): Promise<string[]> {
  const contents = `
    import { createHandler, defineSaga, embeddedOutbox } from 'sagabox';
    import * as v from 'valibot';
    const saga = defineSaga({
      name: 'Order',
      messages: { OrderPlaced: v.object({ orderId: v.string() }) },
      correlate: { OrderPlaced: ({ orderId }) => orderId },
      startedBy: ['OrderPlaced'],
      initialState: () => ({}),
      handlers: { OrderPlaced() {} },
      ${outbox}
    });
    export const handler = createHandler([saga]);
  `;
  const { metafile } = await build({
    ...lambdaBundle,
    stdin: { contents, resolveDir: repository },
    metafile: true,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

describe('the bundle of a saga', () => {
  it('with outbox records holds no code of the embedded outbox', async () => {
    const files = await filesOf('');
    expect(files).toContain('lib/pipeline/outbox/records-outbox.ts');
    expect(files.filter((path) => embedded.test(path))).toEqual([]);
  });

  it('with an embedded outbox holds that of its reads, its commits and its marks', async () => {
    const files = await filesOf('outbox: embeddedOutbox(),');
    const held = files.filter((path) => embedded.test(path));
    // Others have types alone.
    expect(filesIn('lib', '.ts').filter((path) => embedded.test(path))).toEqual(expect.arrayContaining(held));
    expect(held).toEqual(
      expect.arrayContaining([
        'lib/outbox/embedded/inbox.ts',
        'lib/outbox/embedded/embedded-write.ts',
        'lib/outbox/embedded/mark-batcher.dynamodb.ts',
        'lib/outbox/embedded/embedded-planner.dynamodb.ts',
        'lib/pipeline/outbox/look-up-in-item.ts',
        'lib/pipeline/outbox/saga-item-outbox.ts',
      ]),
    );
  });
});
