import type fc from 'fast-check';
import type { Simulation } from './simulation.ts';

type Act = (simulation: Simulation) => Promise<boolean>;

/** A step of a history, which works without the steps before it: shrinking leaves those out. */
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
