import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';

jest.unstable_mockModule('echarts/charts', () => {
  const message = "Cannot find package 'echarts' imported from chart.js";
  throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
});
const { runCommandLine } = await import('../../support/command-io.ts');

const plan = (...args: readonly string[]) => runCommandLine('plan', '--messages-per-second', '1', ...args);

it('sagabox plan --html names echarts and the command that installs it, if it is not there', async () => {
  const path = join(tmpdir(), 'sagabox-no-such-page.html');
  expect(await plan('--html', path)).toEqual({
    exitCode: 2,
    out: [],
    err:
      'error: echarts: sagabox plan --html needs this optional peer dependency, which is not installed. ' +
      "Run 'npm install echarts'.\n'sagabox plan --help' lists the options.",
  });
  expect(existsSync(path)).toBe(false);
});

it('sagabox plan without --html does not load echarts', async () => {
  expect(await plan()).toMatchObject({ exitCode: 0, err: '' });
});
