import type { InvocationReport } from '../lambda/event-source.ts';
import type { Invoke } from '../lambda/function-instance.ts';
import { eventOf } from './bridge/entry.ts';
import type { RateRule } from './bridge/rule-definition.ts';
import { QueueTimers } from './queue-timers.ts';

export interface RateRuleRunnerOptions {
  readonly rules: readonly RateRule[];
  /** By the names of the functions. */
  readonly invokes: ReadonlyMap<string, Invoke>;
  readonly timeScale: number;
  readonly onInvocation: (report: InvocationReport) => void;
  /** Called when a rule cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Invokes functions at the rates of rules, on the clock of the queues. A rule does not overtake itself: its
 * time starts anew when its functions have answered, and a jump of the clock lets it run once.
 */
export class RateRuleRunner {
  readonly #options: RateRuleRunnerOptions;
  readonly #timers: QueueTimers;
  #running = 0;

  constructor(options: RateRuleRunnerOptions) {
    this.#options = options;
    this.#timers = new QueueTimers(options.timeScale);
  }

  start(): void {
    for (const rule of this.#options.rules) this.#await(rule);
  }

  /** How many invocations run now. */
  get runningInvocations(): number {
    return this.#running;
  }

  advanceClock(milliseconds: number): void {
    this.#timers.advance(milliseconds);
  }

  /** Waits for the invocations that run. */
  async stop(): Promise<void> {
    await this.#timers.stop();
  }

  #await(rule: RateRule): void {
    this.#timers.schedule(this.#timers.now() + rule.periodMs, () =>
      this.#run(rule).catch(this.#options.onFailure),
    );
  }

  async #run(rule: RateRule): Promise<void> {
    await Promise.all(rule.targets.map((target) => this.#invoke(rule, target)));
    this.#await(rule);
  }

  async #invoke(rule: RateRule, { functionName, input }: RateRule['targets'][number]): Promise<void> {
    const entry = { Source: 'aws.events', DetailType: 'Scheduled Event', Resources: [rule.arn] };
    const event: unknown = input === undefined ? eventOf(entry, this.#timers.now()) : JSON.parse(input);
    const invoke = this.#options.invokes.get(functionName) as Invoke;
    this.#running += 1;
    const outcome = await invoke(event);
    this.#running -= 1;
    this.#options.onInvocation({ functionName, records: [], outcome, acknowledgedMessageIds: [] });
  }
}
