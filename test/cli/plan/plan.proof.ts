import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';

const flags = '--messages-per-second 200 --saga-size 1000 --outgoing 3 --message-size 500'.split(' ');

describe('sagabox plan as a program', () => {
  /** Runs the program with a script that is imported before it. */
  const run = (script: string, ...args: readonly string[]) => {
    const before = `data:text/javascript,${encodeURIComponent(script)}`;
    const program = join(repository, 'bin/sagabox.js');
    return spawnSync(process.execPath, ['--import', before, program, 'plan', ...flags, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
  };

  it('loads no client of AWS, no CDK, and nothing of what it does not use', () => {
    const { status, stderr } = run(
      "import { registerHooks } from 'node:module'; registerHooks({ resolve(specifier, context, next) {" +
        ' const found = next(specifier, context); console.error(found.url); return found; } });',
    );
    expect(status).toBe(0);
    const loaded = stderr.split('\n');
    expect(loaded).toContainEqual(expect.stringMatching(/lib\/cli\/plan\/plan\.ts$/));
    const others =
      /node_modules\/(?!commander|valibot)|lib\/(adapters|middleware|flow|local|constructs)\/|plan\/page|cli\/(redrive|relay|measure)/;
    expect(loaded.filter((url) => others.test(url))).toEqual([]);
  });

  it('names echarts and the command that installs it, if --html finds none', () => {
    const path = join(tmpdir(), 'sagabox-no-such-page.html');
    const without =
      "import { registerHooks } from 'node:module'; registerHooks({ resolve(specifier, context, next) {" +
      " if (!specifier.startsWith('echarts')) return next(specifier, context);" +
      " throw Object.assign(new Error(\"Cannot find package 'echarts' imported from chart.js\"), { code: 'ERR_MODULE_NOT_FOUND' }); } });";
    expect(run(without, '--html', path)).toMatchObject({
      status: 2,
      stdout: '',
      stderr:
        'error: echarts: sagabox plan --html needs this optional peer dependency, which is not installed. ' +
        "Run 'npm install echarts'.\n'sagabox plan --help' lists the options.\n",
    });
    expect(existsSync(path)).toBe(false);
  });
});
