import { relative } from 'node:path';
import type { LocalApp } from '../../../local/index.ts';
import type { CommandIo } from '../../command.ts';
import type { AppEvent } from '../app-events.ts';
import { resourceLabels } from '../resource-labels.ts';
import { IneffectiveFiles } from './ineffective-files.ts';
import { sourceChanges } from './sources.ts';
import { runSynth, type SynthCommand } from './synth.ts';

type SynthEvent = Extract<AppEvent, { readonly event: 'reloaded' | 'synthFailed' }>;

/** Synthesizes again after each change of a source, and replaces the functions that changed. */
export async function watch(
  app: LocalApp,
  { directory: output, synth }: { readonly directory: string; readonly synth: SynthCommand },
  { err, signal }: CommandIo,
  tell: (event: SynthEvent) => void,
): Promise<void> {
  const directory = process.cwd();
  const named = (paths: readonly string[]): string =>
    paths.map((path) => relative(directory, path)).join(', ');
  const ineffective = new IneffectiveFiles();
  let failure: string | undefined;
  for await (const changed of sourceChanges({ directory, output }, signal)) {
    const sources = ineffective.effective(changed);
    if (sources.length === 0) continue;
    err(`Synthesizing after a change of ${named(sources)}`);
    const event = await synthesize(app, synth, signal);
    if (signal.aborted) return;
    tell(event);
    const before = failure;
    failure = event.event === 'synthFailed' ? event.output : undefined;
    const ignored = ineffective.learn(sources, failure !== before || hasChanges(event));
    if (ignored.length > 0) {
      err(`--watch ignores ${named(ignored)} from now on: its changes did not change the app`);
    }
  }
}

function hasChanges(event: SynthEvent): boolean {
  return event.event === 'reloaded' && event.replaced.length + event.needRestart.length > 0;
}

async function synthesize(app: LocalApp, command: SynthCommand, signal: AbortSignal): Promise<SynthEvent> {
  const failure = await runSynth(command, signal);
  if (failure !== undefined || signal.aborted) return { event: 'synthFailed', output: failure ?? '' };
  try {
    const { replaced, needRestart } = await app.reload();
    const { functionLabel } = resourceLabels(app.resources);
    return { event: 'reloaded', replaced: replaced.map(functionLabel), needRestart };
  } catch (error) {
    // What a synth left cannot always be read: the app runs on, and the next change may repair it.
    return { event: 'synthFailed', output: String(error) };
  }
}
