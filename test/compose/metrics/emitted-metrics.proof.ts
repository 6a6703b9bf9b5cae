import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { emfSums } from '../../support/emf-documents.ts';
import { createTable } from '../../support/engines.ts';

const program = join(import.meta.dirname, 'invoke-program.ts');

/** What a process wrote that handled one batch: stdout, and its answer. */
async function invoke({ special = '', closesStdout = false } = {}) {
  const endpoint = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '';
  const args = ['--conditions=sagabox-source', program, endpoint, await createTable(), special];
  const env = { ...process.env, SAGABOX_METRICS_NAMESPACE: 'Shop/Messages' };
  const child = spawn(process.execPath, args, { env });
  if (closesStdout) child.stdout.destroy();
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([closesStdout ? '' : text(child.stdout), text(child.stderr)]);
  const [exitCode] = await closed;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/^\{.*\}$/) });
  return { stdout, returned: JSON.parse(stderr).returned };
}

it('a process writes its metrics as one line', async () => {
  const { stdout, returned } = await invoke();
  expect(returned).toBe(2);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(emfSums([stdout.trimEnd()])).toMatchObject({ 'MessagesHandled endpoint=orders': 2 });
});

it.each([
  ['a stdout that is destroyed', { special: 'stdout is destroyed' }],
  ['a stdout that nobody reads', { closesStdout: true }],
])('a process has the same answer with %s', async (_name, invocation) => {
  expect((await invoke(invocation)).returned).toBe(2);
});
