import type { OrdersVerdict } from '../far-ends/judge-orders.ts';
import { scheduleNames } from '../far-ends/schedules.ts';
import type { Setting } from '../proof-run.ts';
import { killPlan } from './kill-plan.ts';
import { Killer } from './killer.ts';
import type { ProofSubject } from './proof-subject.ts';
import type { Subject } from './subject.ts';

/** Tells how far the load is, and how many processes its killer killed. */
export class Watch {
  readonly killer: Killer;
  /** Schedules that were there at once. */
  longDelays = 0;
  readonly #setting: Setting;
  readonly #proof: ProofSubject;
  readonly #progress: (text: string) => void;
  readonly #doneBySubject = new Map<string, string>();

  constructor(setting: Setting, proof: ProofSubject, kills: number, progress: (text: string) => void) {
    this.#setting = setting;
    this.#proof = proof;
    this.#progress = progress;
    this.killer = new Killer(setting.emulator.journal, kills, killPlan(kills));
  }

  async tick({ name, orders }: Subject, { done }: OrdersVerdict): Promise<void> {
    const { clients, emulator } = this.#setting;
    await emulator.journal.look();
    this.#doneBySubject.set(name, `${name} ${done} of ${orders.length}`);
    const doneOfAll = [...this.#doneBySubject.values()].join(', ');
    const denied = emulator.journal.denials.length;
    this.#progress(`${doneOfAll} done, ${this.killer.kills} processes killed, ${denied} calls denied`);
    const GroupName = this.#proof.output('ScheduleGroupName');
    const { length } = await scheduleNames(clients.scheduler, GroupName);
    this.longDelays = Math.max(this.longDelays, length);
  }
}
