import { setTimeout as delay } from 'node:timers/promises';
import { signalProcess } from '../../support/processes.ts';
import type { Journal } from '../engine/journal.ts';
import type { MayKill } from './kill-plan.ts';

const pauseMs = 250;

/** Kills processes of functions while they work, until so many were killed. */
export class Killer {
  /** Of each function, how many of its processes died within an invocation. */
  readonly killsByFunction = new Map<string, number>();
  readonly #journal: Journal;
  readonly #wanted: number;
  readonly #mayKill: MayKill;

  constructor(journal: Journal, wanted: number, mayKill: MayKill) {
    this.#journal = journal;
    this.#wanted = wanted;
    this.#mayKill = mayKill;
  }

  get kills(): number {
    return [...this.killsByFunction.values()].reduce((sum, kills) => sum + kills, 0);
  }

  get isDone(): boolean {
    return this.kills >= this.#wanted;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!this.isDone && !signal.aborted) {
      await this.#journal.look();
      const target = this.#minKilled();
      if (target !== undefined) await this.#kill(...target, signal);
      await delay(target === undefined ? 20 : pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #minKilled(): [number, string] | undefined {
    const killsOf = (name: string) => this.killsByFunction.get(name) ?? 0;
    return [...this.#journal.working]
      .filter(([, name]) => this.#mayKill(name, this.killsByFunction))
      .sort(([, one], [, other]) => killsOf(one) - killsOf(other))[0];
  }

  /** One that had just come to rest does not count. */
  async #kill(processId: number, functionName: string, signal: AbortSignal): Promise<void> {
    if (!signalProcess(processId, 'SIGKILL')) return;
    while (this.#journal.working.has(processId) && !signal.aborted) {
      await delay(10);
      await this.#journal.look();
    }
    if (!this.#journal.died.has(processId)) return;
    this.killsByFunction.set(functionName, (this.killsByFunction.get(functionName) ?? 0) + 1);
  }
}
