import type { LocalEngines } from '../engines/start.ts';
import { EventSource, type InvocationReport } from '../lambda/event-source.ts';
import { eventSourceDefinitions } from '../lambda/event-source-definition.ts';
import type { InvocationOutcome } from '../lambda/function-instance.ts';
import { type MappingDescription, mappingDescription } from '../lambda/mapping-description.ts';
import { StreamCalls } from '../streams/stream-calls.ts';
import { streamMappings } from '../streams/stream-mapping.ts';
import { StreamSource } from '../streams/stream-source.ts';
import type { LocalAppOptions } from './options.ts';
import type { LocalResource } from './resources/model.ts';

export interface EventSourcesOptions
  extends Required<Pick<LocalAppOptions, 'maxConcurrency' | 'redeliverAcknowledged'>> {
  /** Those that run. */
  readonly resources: readonly LocalResource[];
  readonly engines: Pick<LocalEngines, 'endpoints' | 'queueUrl' | 'sqsClient'>;
  readonly invoke: (functionName: string, event: unknown) => Promise<InvocationOutcome>;
  /** Milliseconds on the clock of the queues. */
  readonly now: () => number;
  readonly onInvocation: (report: InvocationReport) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Lambda polls each shard of a stream four times a second. */
const pollIntervalMs = 250;

/** What feeds the functions of an app, by its event source mappings: its queues, and the streams of its tables. */
export class EventSources {
  readonly #running: ReadonlySet<string>;
  readonly #streams: ReadonlyMap<string, StreamSource>;
  readonly #all: readonly (EventSource | StreamSource)[];

  constructor(options: EventSourcesOptions) {
    const { resources } = options;
    this.#running = new Set(resources.map(({ name }) => name));
    this.#streams = streamSources(options);
    this.#all = [...queueSources(options), ...this.#streams.values()];
  }

  async start(): Promise<void> {
    for (const source of this.#all) await source.start();
  }

  /** How many invocations run now. */
  get runningInvocations(): number {
    return this.#all.reduce((total, { runningInvocations }) => total + runningInvocations, 0);
  }

  /** Takes nothing more, and acknowledges nothing any more. */
  stopPolling(): void {
    for (const source of this.#all) source.stopPolling();
  }

  /** Waits until no invocation runs. */
  async stop(): Promise<void> {
    await Promise.all(this.#all.map((source) => source.stop()));
  }

  /** @param mapping also one that does not run */
  describe(mapping: LocalResource): MappingDescription {
    const { name } = mapping;
    return mappingDescription(mapping, this.#running.has(name), this.#streams.get(name)?.lastResult);
  }
}

function queueSources({ engines, invoke, maxConcurrency, ...options }: EventSourcesOptions): EventSource[] {
  const { redeliverAcknowledged, onInvocation, onFailure } = options;
  return eventSourceDefinitions(options.resources).map(
    (definition) =>
      new EventSource({
        ...{ definition, redeliverAcknowledged, onInvocation, onFailure },
        queueUrl: engines.queueUrl(definition.queueName),
        sqsClient: engines.sqsClient,
        invoke: (event) => invoke(definition.functionName, event),
        maxConcurrency: Math.min(maxConcurrency, definition.maxConcurrency ?? maxConcurrency),
      }),
  );
}

/** By the local names of their mappings. */
function streamSources({ engines, invoke, ...options }: EventSourcesOptions): Map<string, StreamSource> {
  const { now, onInvocation, onFailure } = options;
  const streams = new StreamCalls(engines.endpoints.dynamodb);
  return new Map(
    streamMappings(options.resources).map((mapping) => [
      mapping.name,
      new StreamSource({
        ...{ mapping, streams, now, pollIntervalMs, onInvocation, onFailure },
        invoke: (event) => invoke(mapping.functionName, event),
      }),
    ]),
  );
}
