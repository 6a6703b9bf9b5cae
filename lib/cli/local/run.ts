import { once } from 'node:events';
import { SQSClient } from '@aws-sdk/client-sqs';
import { defined } from '../../kernel/defined.ts';
import type { LocalApp } from '../../local/index.ts';
import { type CommandIo, type CommandResult, refusedConfiguration } from '../command.ts';
import { sendMessage } from '../messages/send-message.ts';
import { type AppEvent, AppObserver } from './app-events.ts';
import { assertDeclaredQueues } from './declared-queues.ts';
import { eventLines } from './event-line.ts';
import type { AddressedMessage, LocalValues } from './options.ts';
import { startedApp, startedLines } from './started.ts';
import type { SynthCommand } from './watch/synth.ts';
import { watch } from './watch/watch.ts';

export interface LocalRun extends Pick<LocalValues, 'directory' | 'port' | 'timeScale' | 'json'> {
  readonly messages: readonly AddressedMessage[];
  /** Synthesizes again after each change; `undefined` without --watch. */
  readonly synth: SynthCommand | undefined;
}

/** Runs a synthesized app until the user interrupts it. */
export async function runLocally(run: LocalRun, io: CommandIo): Promise<CommandResult> {
  const counts = { handled: 0, failed: 0, sent: 0 };
  const tell = (events: readonly AppEvent[]): void => {
    for (const event of events) {
      if (Object.hasOwn(counts, event.event)) counts[event.event as keyof typeof counts] += 1;
      if (run.json) io.out(JSON.stringify({ ...event, time: new Date() }));
      else for (const line of eventLines(event)) io.out(`${clockTime()} ${line}`);
    }
  };
  await assertDeclaredQueues(
    run.directory,
    run.messages.map(({ queue }) => queue),
  );
  const app = await startApp(run, io, tell);
  try {
    const started = startedApp(app);
    for (const line of run.json ? [JSON.stringify(started)] : startedLines(started)) io.out(line);
    await Promise.race([app.failed, untilInterrupted(io, work(app, run, io, tell))]);
  } finally {
    await app.stop();
  }
  return {
    json: () => ({ event: 'stopped', ...counts }),
    lines: () => [`Stopped: ${counts.handled} handled, ${counts.failed} failed, ${counts.sent} sent`],
    failed: false,
  };
}

type Tell = (events: readonly AppEvent[]) => void;

/** @throws RefusedInput when the directory, or what it declares, cannot be run */
async function startApp(run: LocalRun, io: CommandIo, tell: Tell): Promise<LocalApp> {
  // It brings emulators along, which no other command needs.
  const { startLocalApp } = await import('../../local/index.ts');
  io.err(`Starting the app in ${run.directory}`);
  const { port, timeScale } = run;
  const observer = new AppObserver();
  const app = await startLocalApp({
    assemblyDirectory: run.directory,
    ...defined({ port, timeScale }),
    onCall: (call, answer) => tell(observer.called(call, answer)),
    onInvocation: (report) => tell(observer.invoked(report)),
    onOutput: (output) => tell(observer.wrote(output)),
  }).catch(refusedConfiguration);
  observer.resources = app.resources;
  return app;
}

async function work(app: LocalApp, run: LocalRun, io: CommandIo, tell: Tell): Promise<void> {
  await sendMessages(app, run.messages, io);
  const { directory, synth } = run;
  if (synth !== undefined) await watch(app, { directory, synth }, io, (event) => tell([event]));
}

async function sendMessages(
  app: LocalApp,
  messages: readonly AddressedMessage[],
  { err, signal }: CommandIo,
): Promise<void> {
  const client = new SQSClient(app.clientConfig);
  try {
    for (const message of messages) {
      if (signal.aborted) return;
      const id = await sendMessage(client, app.queueUrl(message.queue), message);
      err(`Sent ${message.type} ${id} to ${message.queue}`);
    }
  } finally {
    client.destroy();
  }
}

async function untilInterrupted({ signal }: CommandIo, work: Promise<void>): Promise<void> {
  const interrupted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  await work;
  await interrupted;
}

/** Of the local day, to the millisecond. */
function clockTime(): string {
  const now = new Date();
  return `${now.toTimeString().slice(0, 8)}.${String(now.getMilliseconds()).padStart(3, '0')}`;
}
