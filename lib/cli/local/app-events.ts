import type { InvocationReport, LocalApp, OutputLine, ReloadedApp } from '../../local/index.ts';
import { type FunctionError, functionErrorText } from '../../local/lambda/function-error.ts';
import type { CallAnswer, ProxiedCall } from '../../local/proxy/proxied-call.ts';
import { type MessageLabel, messageLabel } from './message-label.ts';
import { type ResourceLabels, resourceLabels } from './resource-labels.ts';
import { type SentMessage, sentMessages } from './sent-messages.ts';

/** What happens in a running app; `at` is an endpoint, or a function without one. */
export type AppEvent =
  | ({ readonly event: 'sent'; readonly at: string } & SentMessage)
  | ({
      readonly event: 'handled' | 'failed';
      readonly at: string;
      readonly deliveries: number;
      /** `undefined` where one message of a batch failed: its reason is in the log. */
      readonly reason?: string | undefined;
      /** The error queue that it was moved to. */
      readonly movedTo?: string | undefined;
    } & MessageLabel)
  | { readonly event: 'invocationFailed'; readonly at: string; readonly reason: string }
  | { readonly event: 'log'; readonly at: string; readonly line: string }
  | ({ readonly event: 'reloaded' } & ReloadedApp)
  | { readonly event: 'synthFailed'; readonly output: string };

/** Makes events of what the functions of an app do. */
export class AppObserver {
  #labels: ResourceLabels = resourceLabels([]);
  /** Error queues of messages that are being handled, by function and id. */
  readonly #moved = new Map<string, string>();

  /** What runs, as soon as that is known. */
  set resources(resources: LocalApp['resources']) {
    this.#labels = resourceLabels(resources);
  }

  /** A message that is moved to the error queue of its endpoint counts as failed, not as sent. */
  called(call: ProxiedCall, answer: CallAnswer): AppEvent[] {
    const { functionLabel, queueLabel, errorQueueOf } = this.#labels;
    return sentMessages(call, answer).flatMap((message) => {
      const to = queueLabel(message.to);
      if (message.to !== errorQueueOf(call.functionName)) {
        return [{ event: 'sent', at: functionLabel(call.functionName), ...message, to }];
      }
      this.#moved.set(`${call.functionName} ${message.id}`, to);
      return [];
    });
  }

  /** One for each message of an invocation, or one for an invocation that had none and failed. */
  invoked({ functionName, records, outcome, acknowledgedMessageIds }: InvocationReport): AppEvent[] {
    const at = this.#labels.functionLabel(functionName);
    const reason = outcome.kind === 'result' ? undefined : failureIn(outcome.error);
    if (records.length === 0) return reason === undefined ? [] : [{ event: 'invocationFailed', at, reason }];
    return records.map(({ messageId, body, messageAttributes, attributes }) => {
      const { id = messageId, type } = messageLabel(
        body,
        Object.entries(messageAttributes).map(([name, { stringValue }]) => [name, stringValue]),
      );
      const movedTo = this.#moved.get(`${functionName} ${id}`);
      this.#moved.delete(`${functionName} ${id}`);
      const isHandled = movedTo === undefined && acknowledgedMessageIds.includes(messageId);
      const deliveries = Number(attributes.ApproximateReceiveCount);
      return { event: isHandled ? 'handled' : 'failed', at, id, type, deliveries, reason, movedTo };
    });
  }

  /** Metrics are for CloudWatch. */
  wrote({ functionName, line, kind }: OutputLine): AppEvent[] {
    return kind === 'metrics' ? [] : [{ event: 'log', at: this.#labels.functionLabel(functionName), line }];
  }
}

/** Of a batch in which every message failed what these failed with: the error of the batch tells nothing else. */
function failureIn(error: FunctionError): string {
  const [, failures] = /^All \d+ records of the batch failed \((.*?)\): /.exec(error.errorMessage) ?? [];
  return failures ?? functionErrorText(error);
}
