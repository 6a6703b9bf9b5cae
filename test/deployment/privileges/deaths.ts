import type { FaultRule, ProxiedCall } from 'sagabox/local';

/** A function dies once when it is about to make a schedule of this one, and the next one makes it. */
export const repeatedOrder = 'repeated-1';
/** Functions die whenever they are about to make a schedule of this one, so that a relay makes it. */
export const scheduledOrder = 'scheduled-1';

const always = Array.from({ length: 1_000 }, (_, index) => index + 1);
const outgoing = ['sqs', 'sns', 'eventbridge', 'scheduler'];
/** Large enough for a record in several items. */
const largeTypes = ['CataloguePage', 'StockListed', 'PricePage'];

/**
 * Which functions die, and when: so that each permission is needed in every run, however slow the machine is.
 * Times decide nothing here; who is to do a piece of work is the only one who does not die at it.
 */
export class Deaths {
  /** Until then the relays die before their first call. */
  relaysLive = false;
  /** From then on the endpoints with sagas die before each call by which a message leaves. */
  allIsLost = false;

  readonly rules: readonly FaultRule[] = [
    this.#rule('relays die', always, (call) => isRelay(call) && !this.relaysLive),
    this.#rule('all is lost', always, (call) => hasSagas(call) && this.allIsLost && isOutgoing(call)),
    this.#rule('dies at a schedule', [1], (call) => isScheduling(call, repeatedOrder)),
    this.#rule('dies at each schedule', always, (call) => isScheduling(call, scheduledOrder)),
    ...largeTypes.map((type) =>
      this.#rule(`dies at a ${type}`, [1], (call) => isOutgoing(call) && JSON.stringify(call).includes(type)),
    ),
  ];

  #rule(name: string, atCalls: readonly number[], matches: FaultRule['matches']): FaultRule {
    return { name, kill: 'beforeCall', atCalls, matches };
  }
}

function isRelay({ functionName }: ProxiedCall): boolean {
  return functionName.includes('Relay');
}

function hasSagas({ functionName }: ProxiedCall): boolean {
  return /^Proof(Store-(Orders|Parcels)|Office-Stock)Function/.test(functionName);
}

function isOutgoing({ service }: ProxiedCall): boolean {
  return outgoing.includes(service);
}

/** Of the timeout, which is not due before the functions are done. */
function isScheduling(call: ProxiedCall, orderId: string): boolean {
  const request = JSON.stringify(call.request);
  const isOfOrder = request.includes(orderId) && request.includes('ReviewDue');
  return hasSagas(call) && call.operation === 'CreateSchedule' && isOfOrder;
}
