import type { InvocationReport } from '../lambda/event-source.ts';
import type { InvocationOutcome } from '../lambda/function-instance.ts';
import { eventOf } from './bridge/entry.ts';
import type { RateRule } from './bridge/rule-definition.ts';
import type { QueueTimers } from './queue-timers.ts';

export interface RateRuleRunnerOptions {
  readonly rules: readonly RateRule[];
  readonly invoke: (functionName: string, event: unknown) => Promise<InvocationOutcome>;
  /** On the clock of the queues. */
  readonly timers: QueueTimers;
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
  #running = 0;

  constructor(options: RateRuleRunnerOptions) {
    this.#options = options;
  }

  start(): void {
    for (const rule of this.#options.rules) this.#await(rule);
  }

  /** How many invocations run now. */
  get runningInvocations(): number {
    return this.#running;
  }

  #await(rule: RateRule): void {
    const { timers, onFailure } = this.#options;
    timers.schedule(timers.now() + rule.periodMs, () => this.#run(rule).catch(onFailure));
  }

  async #run(rule: RateRule): Promise<void> {
    await Promise.all(rule.targets.map((target) => this.#invoke(rule, target)));
    this.#await(rule);
  }

  async #invoke(rule: RateRule, { functionName, input }: RateRule['targets'][number]): Promise<void> {
    const entry = { Source: 'aws.events', DetailType: 'Scheduled Event', Resources: [rule.arn] };
    const event: unknown =
      input === undefined ? eventOf(entry, this.#options.timers.now()) : JSON.parse(input);
    this.#running += 1;
    const outcome = await this.#options.invoke(functionName, event);
    this.#running -= 1;
    this.#options.onInvocation({ functionName, records: [], outcome, acknowledgedMessageIds: [] });
  }
}
