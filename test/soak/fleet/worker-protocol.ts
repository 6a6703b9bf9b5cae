import type { StreamEventRecord } from '../../../lib/local/streams/stream-event.ts';
import type { Engines } from '../../support/own-engines/engines.ts';
import type { Counts } from '../../support/tally.ts';
import type { FaultRates } from '../faults/fault-kinds.ts';
import type { Resources } from '../resources.ts';

/** What a worker process is started with, as JSON in this environment variable. */
export const setupVariable = 'SAGABOX_SOAK_WORKER';

export interface WorkerSetup {
  readonly resources: Resources;
  /** Where the functions find the services; the poller uses the resources, as those of Lambda do. */
  readonly functionEndpoints: Pick<Engines, 'dynamoDBEndpoint' | 'sqsEndpoint'>;
  readonly journalFile: string;
  readonly seed: number;
  readonly rates: FaultRates;
  readonly outbox: boolean;
  /** Whether it is of the part of a fleet that is a deployment ahead. */
  readonly isAhead: boolean;
  /** Whether it loses memory and handles with each message. */
  readonly leak: boolean;
}

export type WorkerRequest =
  /** Take messages, with faults or without, as this release, counted from 0. */
  | { readonly kind: 'work'; readonly faults: boolean; readonly release: number }
  | { readonly kind: 'calm' }
  /** Take no more messages, and end what is begun; the answer is `paused`. */
  | { readonly kind: 'pause' }
  /** Run the relay once, beside whatever else goes on. */
  | { readonly kind: 'relay'; readonly finds: RelayFinds }
  /** Run the watcher with a batch of the stream; the answer is `watched`. */
  | { readonly kind: 'watch'; readonly batch: readonly StreamEventRecord[] };

/** What a relay is to find: what is on its list, or, in turn, that and all that a scan finds. */
export type RelayFinds = 'listed' | 'any';

export type WorkerAnswer =
  | { readonly kind: 'ready' }
  /** Counts since the last answer. */
  | { readonly kind: 'counted'; readonly counts: Counts; readonly maxInvocationMs: number }
  /** An invocation still ran at its time limit. The worker ends itself. */
  | { readonly kind: 'cutOff'; readonly evidence: string }
  | { readonly kind: 'paused'; readonly sample: Sample }
  | { readonly kind: 'watched'; readonly succeeded: boolean }
  | { readonly kind: 'failed'; readonly request: WorkerRequest['kind']; readonly error: string };

/** Memory as `process.memoryUsage` names it; buffers are not in the heap. */
export const memories = ['heapUsed', 'external', 'arrayBuffers'] as const;
export type Memory = (typeof memories)[number];

/** Of a process at rest, after its garbage is collected. */
export interface Sample {
  readonly bytes: Readonly<Record<Memory, number>>;
  /** Sockets, pipes and timers that keep the process alive, and, on Linux, its open files. */
  readonly handles: Readonly<Record<string, number>>;
}
