import { join } from 'node:path';
import { environmentFor } from '../engine/access.ts';
import { runProgram } from '../engine/run-program.ts';
import type { Setting } from '../proof-run.ts';
import type { ProofSubject } from './proof-subject.ts';

const commandLine = join(import.meta.dirname, '..', '..', '..', 'bin', 'sagabox.ts');
const commands = [
  ['redrive', '--queue', 'dead-letters'],
  ['redrive', '--queue', 'errors'],
  ['relay', '--older-than', '5s'],
] as const;

interface AssumedRole {
  readonly Credentials: {
    readonly AccessKeyId: string;
    readonly SecretAccessKey: string;
    readonly SessionToken: string;
  };
}

/**
 * Redrives and relays by the names of stack and endpoint, as somebody who has what `grantOperate` gives and
 * nothing else.
 *
 * @returns the commands that failed, in words
 */
export async function operate({ calls, emulator, signal }: Setting, proof: ProofSubject): Promise<string[]> {
  const { Credentials } = await calls.call<AssumedRole>('sts', 'assume_role', {
    RoleArn: proof.output('OperatorRoleArn'),
    RoleSessionName: 'operator',
  });
  const environment = {
    ...environmentFor(emulator),
    AWS_ACCESS_KEY_ID: Credentials.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: Credentials.SecretAccessKey,
    AWS_SESSION_TOKEN: Credentials.SessionToken,
  };
  const complaints: string[] = [];
  for (const command of commands) {
    const args = [commandLine, ...command, '--stack', 'ProofStore', '--endpoint', 'orders'];
    try {
      const options = { signal, environment };
      await runProgram(process.execPath, ['--conditions=sagabox-source', ...args], options);
    } catch (error) {
      signal.throwIfAborted();
      complaints.push(`sagabox ${command.join(' ')} failed: ${error}`);
    }
  }
  return complaints;
}
