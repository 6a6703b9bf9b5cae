import type fc from 'fast-check';
import type { Simulation } from './simulation.ts';

type Act = (simulation: Simulation) => Promise<boolean>;

/**
 * One step of a history. It stands for itself: without the steps before it, it still does something like it,
 * or nothing.
 */
export class Step implements fc.AsyncCommand<object, Simulation> {
  readonly #name: string;
  readonly #act: Act;

  constructor(name: string, act: Act) {
    this.#name = name;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, simulation: Simulation): Promise<void> {
    await this.#act(simulation);
    simulation.world.assertHolds();
  }

  toString(): string {
    return this.#name;
  }
}
