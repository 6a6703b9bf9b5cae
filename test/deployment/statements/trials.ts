import { setTimeout as delay } from 'node:timers/promises';
import type { Denial } from '../engine/journal.ts';
import { undispatchedRecords } from '../far-ends/undispatched.ts';
import type { HotSagas } from '../load/hot-sagas.ts';
import { operate } from '../load/operate.ts';
import type { ProofSubject } from '../load/proof-subject.ts';
import { type WayByHttp, waysByHttp } from '../load/requests.ts';
import type { SampleSubject } from '../load/sample-subject.ts';
import { sendUnknown } from '../load/unknown-messages.ts';
import type { Setting, WholeApps } from '../proof-run.ts';
import type { DeployedFunctions } from './deployed-functions.ts';
import type { DeployedPolicies } from './deployed-policy.ts';
import type { Outcome } from './outcome.ts';
import type { Statement } from './statement.ts';

/** A delay to a FIFO queue waits in a schedule for ten seconds at least; most denials come within one. */
const noticedWithinMs = 16_000;
/** Orders that a relay alone moves on take several of its runs. */
const relayedWithinMs = 60_000;
/** What was denied before comes again when its visibility timeout is over. */
const atRestWithinMs = 120_000;
const pollMs = 100;

export interface TrialSubjects {
  readonly sample: SampleSubject;
  readonly proof: ProofSubject;
  readonly hot: HotSagas;
}

/** Takes a statement out, brings about what needs it, and looks whether a call is denied. */
export class Trials {
  readonly #setting: Setting<WholeApps>;
  readonly #policies: DeployedPolicies;
  readonly #functions: DeployedFunctions;
  readonly #subjects: TrialSubjects;
  #count = 0;

  constructor(
    setting: Setting<WholeApps>,
    policies: DeployedPolicies,
    functions: DeployedFunctions,
    subjects: TrialSubjects,
  ) {
    this.#setting = setting;
    this.#policies = policies;
    this.#functions = functions;
    this.#subjects = subjects;
  }

  /** With an order, and a message that no endpoint knows. */
  async withOrder(statement: Statement): Promise<Outcome> {
    return await this.#without(statement, noticedWithinMs, async (again) => {
      if (again) return;
      if (statement.actions.includes('ssm:GetParameters'))
        await this.#functions.restart(this.#roleOf(statement));
      await this.#place(statement.stack, waysOf(statement));
      await this.#sendUnknown(statement.stack);
    });
  }

  /** With somebody at work who operates the endpoint of orders. */
  async withOperator(statement: Statement): Promise<Outcome> {
    return await this.#without(statement, relayedWithinMs, () => this.#operate());
  }

  /**
   * With records that wait for whoever has the statement: all others are kept from their work.
   *
   * @param kept for each of them the statements, of one policy, that are taken out meanwhile
   */
  async withRelay(statement: Statement, kept: readonly (readonly Statement[])[]): Promise<Outcome> {
    const role = this.#roleOf(statement);
    const run = isOfOperator(statement) ? () => this.#operate() : () => this.#functions.invoke(role);
    if (!isOfOperator(statement)) await this.#functions.relayAtOnce(role);
    const givesBack: (() => Promise<void>)[] = [];
    try {
      for (const some of kept) givesBack.push(await this.#policies.takeOut(some));
      return await this.#without(statement, relayedWithinMs, async (again) => {
        const known = await this.#undispatched(statement.stack);
        // The statement may be one that the records so far did not need.
        if (!again || known.length === 0) await this.#strand(statement.stack, known);
        await run();
      });
    } finally {
      for (const giveBack of givesBack) await giveBack();
    }
  }

  async #strand(stack: string, known: readonly string[]): Promise<void> {
    await this.#place(stack);
    await this.#until('No record stayed undispatched', async () => {
      const records = await this.#undispatched(stack);
      return records.some((record) => !known.includes(record));
    });
  }

  async #without(
    statement: Statement,
    withinMs: number,
    load: (again: boolean) => Promise<void>,
  ): Promise<Outcome> {
    const giveBack = await this.#policies.takeOut([statement]);
    try {
      return await this.#watch(statement, withinMs, load);
    } finally {
      await giveBack();
    }
  }

  async #watch(
    statement: Statement,
    withinMs: number,
    load: (again: boolean) => Promise<void>,
  ): Promise<Outcome> {
    const { emulator, signal } = this.#setting;
    const { journal } = emulator;
    const startedAt = performance.now();
    await journal.look();
    const seen = journal.denials.length;
    const owner = this.#roleOf(statement);
    const isOfOwner = ({ principal, action, resource }: Denial) =>
      statement.actions.includes(action) &&
      (statement.kind === 'role' ? namesRole(principal, owner) : resource.endsWith(`:${owner}`));
    let denial: Denial | undefined;
    await load(false);
    while (denial === undefined && performance.now() - startedAt < withinMs) {
      await delay(pollMs, undefined, { signal });
      await journal.look();
      denial = journal.denials.slice(seen).find(isOfOwner);
      if (denial === undefined) await load(true);
    }
    const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
    const denied = denial && `${denial.action} on ${denial.resource}`;
    return { statement, denied, seconds };
  }

  #roleOf(statement: Statement): string {
    return this.#policies.ownerOf(statement).split('/').at(-1) ?? '';
  }

  async #place(stack: string, ways: readonly WayByHttp[] = waysByHttp): Promise<void> {
    const { sample, proof, hot } = this.#subjects;
    this.#count += 1;
    const orderId = `trial-${this.#count}`;
    if (isSample(stack)) await sample.place([orderId], this.#setting.signal);
    else {
      await proof.place([orderId], { times: 1, byHttp: { ways, attempts: 1 } });
      await hot.place(1, { times: 1, prefix: orderId });
    }
  }

  async #sendUnknown(stack: string): Promise<void> {
    const { sample, proof } = this.#subjects;
    const queues = await (isSample(stack) ? sample : proof).workingQueueUrls();
    await sendUnknown(this.#setting.clients, queues, `unknown-${this.#count}-${Date.now()}`, 1);
  }

  async #operate(): Promise<void> {
    await operate(this.#setting, this.#subjects.proof);
  }

  async #undispatched(stack: string): Promise<string[]> {
    const { sample, proof } = this.#subjects;
    const tableNames = {
      ProofStore: [proof.output('OutboxTableName')],
      ProofOffice: [proof.output('StockTableName')],
    }[stack];
    const { dynamoDB } = this.#setting.clients;
    return await undispatchedRecords(dynamoDB, tableNames ?? sample.outboxTableNames);
  }

  async #until(problem: string, isSo: () => Promise<boolean>): Promise<void> {
    const endsAt = Date.now() + atRestWithinMs;
    while (!(await isSo())) {
      if (Date.now() > endsAt) throw new Error(problem);
      await delay(pollMs, undefined, { signal: this.#setting.signal });
    }
  }
}

export function isOfOperator({ name }: Statement): boolean {
  return name.startsWith('ProofStore/Operator#');
}

/** A function that runs sessions runs each of them, and answers each that is repeated, if no other gets requests. */
function waysOf({ name }: Statement): readonly WayByHttp[] {
  if (name.includes('/PlaceOrderByUrl')) return ['url'];
  return name.includes('/PlaceOrder') ? ['api'] : waysByHttp;
}

function isSample(stack: string): boolean {
  return stack === 'OrderFulfilment';
}

function namesRole(principal: string, role: string): boolean {
  return principal.includes(`:assumed-role/${role}/`) || principal.endsWith(`:role/${role}`);
}
