import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commands } from '../../lib/cli/commands.ts';
import { runCommandLine } from '../support/command-io.ts';
import { repository } from '../support/source-files.ts';

async function run(...args: string[]) {
  const { out, ...others } = await runCommandLine(...args);
  return { ...others, out: out.join('\n') };
}

describe('sagabox', () => {
  it.each(['--help', '-h', 'help'])('%s lists the commands', async (option) => {
    const { exitCode, out } = await run(option);
    expect(exitCode).toBe(0);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^ {2}${name} +\\w`, 'm'));
  });

  it.each(['--version', '-V'])('%s prints that of the package', async (option) => {
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    expect(await run(option)).toEqual({ exitCode: 0, out: version, err: '' });
  });

  it.each([
    [[], 'Usage: sagabox [options] [command]'],
    [['destroy'], "error: unknown command 'destroy'\n'sagabox --help' lists the commands."],
    [['help', 'destroy'], "error: unknown command 'destroy'\n'sagabox --help' lists the commands."],
    [['plan'], 'error: pass --messages-per-second <n>, --workload <file> or --app <directory>\n'],
    [['plan', '--messages-per-second', '1', '--region', 'mars-1'], '--prices)'],
    [['redirve'], 'Did you mean redrive?'],
    [['plan', '--deduplication-period', '7'], 'is invalid. Expected a duration such as 90s, 30m, 12h or 7d'],
    [
      ['redrive'],
      "error: pass --from <url>, or --stack <name> and --endpoint <name>\n'sagabox redrive --help'",
    ],
    [['redrive', '--stack', 'Shop'], 'error: --stack needs --endpoint <name>'],
    [
      ['redrive', '--from', 'https://q', '--queue', 'errors'],
      'error: --endpoint and --queue are for --stack',
    ],
    [['relay', '--endpoint', 'orders'], 'error: pass --table <name>, or --stack <name>'],
    [
      ['redrive', '--from', 'https://q', '--form', 'x'],
      "error: unknown option '--form'\n(Did you mean --from?)",
    ],
    [['redrive', '--from', 'https://q', '--to', 'https://q'], 'error: --to is the queue of --from: its'],
    [['relay', '--endpoint', 'a', '--table', 'b', 'c'], 'error: too many arguments'],
    [['plan', '--app', 'cdk.out', '--compare'], "'--app <directory>' cannot be used with option '--compare'"],
    [['plan', '--json=yes'], '--json=yes'],
    [['plan', '--html', '--compare'], "'--html <file>' argument '--compare' is invalid. Expected a value"],
    [['plan', '--__proto__', '1'], "unknown option '--__proto__'"],
  ])('refuses %j with cause and remedy', async (args, reason) => {
    const { exitCode, out, err } = await run(...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(reason);
  });

  it.each(commands)('$name --help lists every option', async ({ name, summary, load }) => {
    const { exitCode, out } = await run(name, '--help');
    expect(exitCode).toBe(0);
    expect(out).toContain(`Usage: sagabox ${name} `);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(summary);
    const { options } = await load();
    for (const { flags } of options)
      expect(out).toMatch(new RegExp(`^ {2}${flags.replaceAll('.', '\\.')} `, 'm'));
  });

  it('help plan prints what plan --help does', async () => {
    expect(await run('help', 'plan')).toEqual(await run('plan', '--help'));
  });
});
