import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../../lib/local/engines/free-port.ts';
import { type GuardedProcess, startGuardedProcess } from '../../../lib/local/engines/guarded-process.ts';
import { Journal } from './journal.ts';
import { runProgram } from './run-program.ts';
import { stopEmulator } from './stop-emulator.ts';

const scripts = join(import.meta.dirname, '..', 'emulator');
const nodeModules = join(import.meta.dirname, '..', '..', '..', 'node_modules');
const attempts = 3;
/** Beside six syntheses and whatever else the machine does. */
const startsWithinMs = 120_000;
const answersWithinMs = 5_000;

export interface Emulator {
  readonly endpoint: string;
  /** The certificate that it shows, to be trusted. */
  readonly certificateFile: string;
  readonly certificate: string;
  readonly journal: Journal;
  readonly processId: number;
  /** Ends it and the processes of its functions. */
  stop(): Promise<void>;
}

/** Starts the emulator on the loopback interface, with TLS and with permissions enforced. */
export async function startEmulator(python: string, signal: AbortSignal): Promise<Emulator> {
  for (let attempt = 1; ; attempt += 1) {
    const directory = await mkdtemp(join(tmpdir(), 'sagabox-deployment-'));
    try {
      return await startIn(directory, python, await findFreePort(), signal);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      // Somebody else may have taken the port since it was found free.
      if (attempt === attempts || !String(error).includes('already in use')) throw error;
    }
  }
}

async function startIn(
  directory: string,
  python: string,
  port: number,
  signal: AbortSignal,
): Promise<Emulator> {
  const file = (name: string) => join(directory, name);
  const certificateFile = file('certificate.pem');
  await runProgram(python, [join(scripts, 'certificate.py'), file('key.pem'), certificateFile], { signal });
  // Lambda brings the AWS SDK along; here the bundles find it in a folder above theirs.
  await symlink(nodeModules, file('node_modules'));
  const journal = await Journal.open(file('journal.jsonl'));
  const settings = {
    AUTH: 'true',
    USE_SSL: '1',
    MINISTACK_SSL_CERT: certificateFile,
    MINISTACK_SSL_KEY: file('key.pem'),
    NODE_EXTRA_CA_CERTS: certificateFile,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    S3_DATA_DIR: file('s3'),
    STATE_DIR: file('state'),
    TMPDIR: directory,
    LOG_LEVEL: 'WARNING',
    PROOF_JOURNAL: file('journal.jsonl'),
    PYTHONDONTWRITEBYTECODE: '1',
    // Kept from run to run, beside the Python environment: functions write it when they end, also after the
    // folder was removed.
    NODE_COMPILE_CACHE: join(dirname(dirname(python)), 'compile-cache'),
    // Functions run on the Node that runs this.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  const unset = [
    'AWS_ENDPOINT_URL',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_PROFILE',
  ];
  const program = startGuardedProcess(
    'env',
    [
      ...unset.flatMap((name) => ['-u', name]),
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
      python,
      join(scripts, 'start.py'),
    ],
    directory,
  );
  try {
    const processId = await untilReady(program, journal, port, certificateFile, signal);
    const certificate = await readFile(certificateFile, 'utf8');
    const endpoint = `https://127.0.0.1:${port}`;
    const stop = () => stopEmulator(program, journal, processId);
    return { endpoint, certificateFile, certificate, journal, processId, stop };
  } catch (error) {
    await Promise.allSettled([program.stop(), journal.close()]);
    throw error;
  }
}

async function untilReady(
  program: GuardedProcess,
  journal: Journal,
  port: number,
  certificateFile: string,
  signal: AbortSignal,
): Promise<number> {
  let exited = false;
  void program.exited.then(() => {
    exited = true;
  });
  const ready = 'status 200';
  let seen = 'its process has not begun';
  const endsAt = Date.now() + startsWithinMs;
  while (Date.now() < endsAt && !exited) {
    signal.throwIfAborted();
    await journal.look();
    if (journal.emulatorProcessId !== undefined) {
      seen = await answerOf(port, certificateFile);
      if (seen === ready) return journal.emulatorProcessId;
    }
    await delay(50);
  }
  const what = exited ? 'ends at its start' : `is not ready after ${startsWithinMs / 1_000} s`;
  throw new Error(`The emulator ${what} on port ${port} (${seen}):\n${program.output()}`);
}

async function answerOf(port: number, certificateFile: string): Promise<string> {
  const ca = await readFile(certificateFile);
  const signal = AbortSignal.timeout(answersWithinMs);
  return await new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/_ministack/ready', ca, signal }, (response) => {
      response.resume();
      resolve(`status ${response.statusCode}`);
    });
    request.once('error', ({ message }) => resolve(message));
  });
}
