import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { planWorkload, type Workload } from 'sagabox/capacity';
import { drawImages, imageFolder } from '../../examples/capacity/charts.ts';
import { leaseBytes } from '../../lib/capacity/saga-step.ts';
import { readDataFile } from '../../lib/cli/data-file.ts';
import { formatDollars, formatUnits } from '../../lib/cli/plan/format.ts';
import { relayDefaults } from '../../lib/relay/relay-defaults.ts';
import { runCommandLine } from '../support/command-io.ts';
import { section } from '../support/page-tables.ts';
import { repository } from '../support/source-files.ts';

const example = join(repository, 'examples/capacity/orders.yaml');
const page = await readFile(join(repository, 'docs/reference/capacity.md'), 'utf8');
const workload = (await readDataFile(example)) as Workload;
const plan = planWorkload(workload);

describe('docs/reference/capacity.md', () => {
  const blocks = [...page.matchAll(/^```console\n\$ npx sagabox (.*)\n([\s\S]*?)\n```$/gm)];

  it('has an example', () => {
    expect(blocks.length).toBeGreaterThan(0);
  });

  it.each(blocks.map(([, line = '', output = '']) => [line, output]))(
    'shows what `sagabox %s` prints',
    async (line, output) => {
      process.env.NO_COLOR = '1';
      const args = line
        .split(' ')
        .map((word) => (word.startsWith('examples/') ? join(repository, word) : word));
      const { exitCode, out, err } = await runCommandLine(...args);
      expect([exitCode, err, out.join('\n')]).toEqual([0, '', output]);
    },
  );

  it('shows the workload file of the example', async () => {
    const [, shown = ''] = /^```yaml\n# examples\/capacity\/orders\.yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const file = await readFile(example, 'utf8');
    expect(file.replace(/^#.*\n/, '')).toBe(shown);
  });

  it('has what a smaller saga saves', () => {
    const smaller = planWorkload({ ...workload, message: { ...workload.message, sagaBytes: 1000 } });
    const cells = (of: (planned: typeof plan) => unknown) => `| ${of(plan)} | ${of(smaller)} |`;
    expect(page).toContain(`| new message: WCU ${cells(({ message }) => message.newMessage.wcu)}`);
    expect(page).toContain(
      `| tables, on-demand, a month ${cells(({ monthlyCost }) => formatDollars(monthlyCost.onDemand))}`,
    );
  });

  it('has the rate whose records a scan of the relay gets through, in a run of 15 minutes', () => {
    // An eventually consistent unit reads 8 KB.
    const bytes = relayDefaults.maxReadUnitsPerSecond * 15 * 60 * 8 * 1024;
    const { records } = planWorkload({ ...workload, messagesPerSecond: 1 }).outbox;
    const ofOne = records * plan.message.dispatchedRecordBytes;
    expect(page).toContain(`records of ${plan.message.dispatchedRecordBytes} bytes`);
    expect(page).toContain(`${Math.round(bytes / 1e6)} MB in a run with its defaults`);
    expect(page).toContain(`the records of ${formatUnits(bytes / ofOne)} messages a second`);
  });

  it('has what the lease adds', () => {
    expect(section(page, '### What DynamoDB charges')).toContain(`which adds ${leaseBytes} bytes`);
    const locked = planWorkload({
      messagesPerSecond: 1,
      message: { sagaBytes: 1000, locking: 'pessimistic' },
    });
    expect(locked.message.steps.find(({ step }) => step === 'lock')?.wcu).toBe(2);
  });
});

describe('the images of docs/reference/capacity.md', () => {
  it('are those that the code draws: run examples/capacity/draw.ts when they are not', async () => {
    for (const { file, svg } of await drawImages()) {
      expect([file, await readFile(join(imageFolder, file), 'utf8')]).toEqual([file, svg]);
    }
  });

  it('are all there, and all shown', async () => {
    const drawn = (await drawImages()).map(({ file }) => file).sort();
    const files = (await readdir(imageFolder)).filter((file) => file.startsWith('capacity-'));
    const shown = [...page.matchAll(/\]\(\.\.\/images\/([^)]+)\)/g)].map(([, file]) => file);
    expect([files.sort(), shown.sort()]).toEqual([drawn, drawn]);
  });
});
