import { join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type Clients, environmentFor, withClients } from '../engine/access.ts';
import { runProgram } from '../engine/run-program.ts';
import type { Setting } from '../proof-run.ts';
import { makeDeadLetter } from './dead-letter.ts';
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
 * Redrives a message that nobody handled, and relays, by the names of stack and endpoint, and looks at a saga
 * and a record, as somebody who has what `grantOperate` gives and nothing else.
 *
 * @returns the commands that failed, in words
 */
export async function operate(
  setting: Pick<Setting, 'calls' | 'clients' | 'emulator' | 'signal'>,
  proof: ProofSubject,
): Promise<string[]> {
  const { calls, emulator, signal } = setting;
  await makeDeadLetter(setting, proof);
  const { Credentials } = await calls.call<AssumedRole>('sts', 'assume_role', {
    RoleArn: proof.output('OperatorRoleArn'),
    RoleSessionName: 'operator',
  });
  const credentials = {
    accessKeyId: Credentials.AccessKeyId,
    secretAccessKey: Credentials.SecretAccessKey,
    sessionToken: Credentials.SessionToken,
  };
  const environment = {
    ...environmentFor(emulator),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
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
  try {
    await withClients(emulator, (clients) => lookAtItems(clients, proof), credentials);
  } catch (error) {
    complaints.push(`Reading failed: ${error}`);
  }
  return complaints;
}

async function lookAtItems({ dynamoDB }: Clients, proof: ProofSubject): Promise<void> {
  const items = [
    ['SagaTableName', 'SAGA#ProofOrder#any', 'SAGA'],
    ['OutboxTableName', 'OUTBOX#orders#any', 'RECORD'],
  ] as const;
  for (const [table, partition, sort] of items) {
    const Key = { PK: { S: partition }, SK: { S: sort } };
    await dynamoDB.send(new GetItemCommand({ TableName: proof.output(table), Key }));
  }
}
