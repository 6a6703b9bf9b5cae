import type { MessageReport } from 'sagabox';
import type { FaultRule, InvocationReport, OutputLine, SqsEventRecord } from 'sagabox/local';

/** What was seen of the run from outside the handlers. */
export class Tally {
  messagesDelivered = 0;
  duplicatesDelivered = 0;
  messagesAcknowledged = 0;
  readonly crashesBySeam = new Map<string, number>();
  readonly reportsByOutcome = new Map<MessageReport['outcome'], number>();
  /** Reason of each invocation that failed by itself, and not by a crash that was injected. */
  readonly failures: string[] = [];
  /** Orders whose saga took up its payment timeout. */
  readonly ordersTimedOut = new Set<string>();
  readonly #delivered = new Set<string>();
  readonly #messageIds = new Map<string, Set<string>>();
  #deaths = 0;

  get crashesInjected(): number {
    return [...this.crashesBySeam.values()].reduce((total, crashes) => total + crashes, 0);
  }

  /** Instances that ended though nobody killed them. */
  get unexplainedDeaths(): number {
    return Math.max(0, this.#deaths - this.crashesInjected);
  }

  /** Different messages that were delivered, counted once per endpoint. */
  get distinctMessages(): number {
    return this.#delivered.size;
  }

  outcome(outcome: MessageReport['outcome']): number {
    return this.reportsByOutcome.get(outcome) ?? 0;
  }

  /** Different ids under which a message of an order was delivered to a function. */
  messageIds(type: string, orderId: string): ReadonlySet<string> {
    return this.#messageIds.get(`${type}|${orderId}`) ?? new Set();
  }

  countInvocation({ functionName, records, outcome, acknowledgedMessageIds }: InvocationReport): void {
    for (const record of records) {
      const messageId = messageIdOf(record);
      const message = `${functionName}|${messageId}`;
      this.messagesDelivered += 1;
      if (this.#delivered.has(message)) this.duplicatesDelivered += 1;
      this.#delivered.add(message);
      const { orderId } = JSON.parse(record.body) as { orderId: string };
      const key = `${attributeOf(record, 'Sagabox.MessageType')}|${orderId}`;
      this.#messageIds.set(key, (this.#messageIds.get(key) ?? new Set()).add(messageId));
    }
    this.messagesAcknowledged += acknowledgedMessageIds.length;
    if (outcome.kind === 'died') this.#deaths += 1;
    else if (outcome.kind !== 'result') this.failures.push(`${functionName}: ${outcome.error.errorMessage}`);
  }

  countFault({ name }: FaultRule): void {
    this.crashesBySeam.set(name, (this.crashesBySeam.get(name) ?? 0) + 1);
  }

  /** Takes the reports that the sample's handlers print; what is no report or metrics is a problem of theirs. */
  readOutput({ functionName, line, kind }: OutputLine): void {
    if (kind === 'metrics') return;
    const report = reportIn(line);
    if (report === undefined) {
      this.failures.push(`${functionName} wrote: ${line}`);
      return;
    }
    this.reportsByOutcome.set(report.outcome, this.outcome(report.outcome) + 1);
    if (report.outcome === 'failed') this.failures.push(`${functionName}: ${report.error}`);
    const applied = report.outcome !== 'discarded' && report.outcome !== 'failed';
    if (report.messageType === 'PaymentTimedOut' && applied && report.sagaId !== undefined) {
      this.ordersTimedOut.add(report.sagaId);
    }
  }
}

function messageIdOf(record: SqsEventRecord): string {
  return attributeOf(record, 'Sagabox.MessageId') ?? record.messageId;
}

function attributeOf({ messageAttributes }: SqsEventRecord, name: string): string | undefined {
  return messageAttributes[name]?.stringValue;
}

function reportIn(line: string): MessageReport | undefined {
  try {
    return (JSON.parse(line) as { sagabox?: MessageReport }).sagabox;
  } catch {
    return undefined;
  }
}
