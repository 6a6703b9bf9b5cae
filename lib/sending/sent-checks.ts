import { settleAll } from '../kernel/async/settle.ts';
import type { OutgoingChecks, SenderContracts } from '../messages/contracts/contract.ts';
import type { OutgoingMessage } from '../messages/message.ts';
import type { Sending } from './sending.ts';

/** The checks of what one handler sends, some of which may still be under way when it returns. */
export class SentChecks {
  readonly #isOn: boolean;
  readonly #underWay: Promise<void>[] = [];
  #checks: OutgoingChecks | undefined;

  constructor({ checks, validateOutgoing }: Sending) {
    this.#isOn = validateOutgoing;
    this.take(checks);
  }

  /** Those of the definition whose handler is about to run. */
  take(checks: OutgoingChecks | undefined): void {
    if (this.#isOn) this.#checks = checks;
  }

  /** @throws SagaboxError `InvalidOutgoingMessage`, here or by {@link settle} */
  check(list: keyof SenderContracts, message: OutgoingMessage): Promise<void> | undefined {
    const checking = this.#checks?.check(list, message);
    if (checking === undefined) return undefined;
    // Until it is awaited, its error must not end the process.
    checking.catch(() => {});
    this.#underWay.push(checking);
    return checking;
  }

  get areUnderWay(): boolean {
    return this.#underWay.length > 0;
  }

  async settle(): Promise<void> {
    await settleAll(this.#underWay);
  }
}
