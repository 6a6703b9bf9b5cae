import type { ReloadedApp } from '../../local/index.ts';
import type { AppEvent } from './app-events.ts';
import type { MessageLabel } from './message-label.ts';
import type { SentMessage } from './sent-messages.ts';

/** An event for people. */
export function eventLines(event: AppEvent): string[] {
  // What a synth wrote has lines of its own.
  if (event.event !== 'synthFailed') return [eventLine(event)];
  return ['The synth failed, and the app runs on as it is:', ...event.output.split('\n')];
}

function eventLine(event: Exclude<AppEvent, { readonly event: 'synthFailed' }>): string {
  switch (event.event) {
    case 'log':
      return `${event.at} | ${event.line}`;
    case 'reloaded':
      return reloadedLine(event);
    case 'invocationFailed':
      return `${column('failed')}${event.at}: ${firstLine(event.reason)}`;
    case 'sent':
      return `${column('sent')}${nameOf(event)} from ${event.at} to ${event.to}${delayOf(event)}`;
    default: {
      const isFirst = event.event === 'handled' && event.deliveries === 1;
      const delivery = isFirst ? '' : `, delivery ${event.deliveries}`;
      const moved = part(', moved to ', event.movedTo);
      const reason = part(': ', event.reason && firstLine(event.reason));
      return `${column(event.event)}${nameOf(event)} at ${event.at}${delivery}${moved}${reason}`;
    }
  }
}

function column(word: string): string {
  return word.padEnd('handled  '.length);
}

function nameOf({ id, type = 'a message' }: MessageLabel): string {
  return `${type}${part(' ', id)}`;
}

function delayOf({ delaySeconds, dueAt }: SentMessage): string {
  const delay = delaySeconds === undefined ? '' : `, delayed for ${delaySeconds} s`;
  return delay + part(', due at ', dueAt);
}

function part(before: string, value: string | undefined): string {
  return value === undefined ? '' : before + value;
}

function firstLine(reason: string): string {
  return reason.split('\n', 1)[0] ?? '';
}

function reloadedLine({ replaced, needRestart }: ReloadedApp): string {
  const functions = replaced.length === 0 ? 'No function changed' : `Replaced ${replaced.join(', ')}`;
  if (needRestart.length === 0) return functions;
  return `${functions}; start again to run what else changed: ${needRestart.join(', ')}`;
}
