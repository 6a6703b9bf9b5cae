import type { ContentionFigures } from './compare.ts';
import { losses } from './losses.ts';

/** What did not hold, in words; nothing when all did. */
export function complaints(figures: ContentionFigures): string[] {
  const { refusedLockAttempts, seconds, blindSpin } = figures;
  const found = losses(figures);
  if (blindSpin && refusedLockAttempts > blindSpin.refusedLockAttempts / 2) {
    found.push('more than half of the refused lock attempts of the blind spin');
  }
  if (blindSpin && seconds > blindSpin.seconds) found.push('slower than the blind spin');
  return found;
}

export function summaryTable(figures: ContentionFigures): string {
  const {
    mode,
    engine,
    messages,
    applied,
    appliedTwice,
    deadLettered,
    conflicts,
    blindSpin,
    retryWithoutJitter,
  } = figures;
  const peer = blindSpin ?? retryWithoutJitter;
  const rows: [string, string, (string | undefined)?][] = [
    ['messages', String(messages)],
    ['applied', String(applied)],
    ['applied twice', String(appliedTwice)],
    ['in the dead-letter queue', String(deadLettered)],
    ['conflicts', String(conflicts), retryWithoutJitter?.conflicts.toString()],
    ['refused lock attempts', String(figures.refusedLockAttempts), blindSpin?.refusedLockAttempts.toString()],
    ['write units per message', figures.wcuPerMessage.toFixed(2), peer?.wcuPerMessage.toFixed(2)],
    [
      'refused ones, by the rules',
      figures.refusedWcuPerMessage.toFixed(2),
      peer?.refusedWcuPerMessage.toFixed(2),
    ],
    ['seconds', figures.seconds.toFixed(2), peer?.seconds.toFixed(2)],
  ];
  const lines = rows.map(([name, own, other]) => line(name, own, other));
  return [
    line('', mode, blindSpin ? 'blind spin' : 'without jitter'),
    ...lines,
    '',
    `The units are those that the engine, ${engine}, reports. No engine reports what a refused write takes.`,
  ].join('\n');
}

function line(name: string, own: string, peer = ''): string {
  return `${name.padEnd(28)}${own.padStart(12)}${peer.padStart(16)}`.trimEnd();
}
