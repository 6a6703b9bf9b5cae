import { type FileHandle, open } from 'node:fs/promises';

/** A call that the emulator did not let through. */
export interface Denial {
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
}

/** A transaction that stored several outbox records. */
export interface SharedCommit {
  readonly records: number;
  /** The names of those that it wrote or checked, one for each saga. */
  readonly sagas: readonly string[];
}

interface Entry {
  readonly event: string;
  readonly processId?: number | null;
  readonly functionName?: string;
  readonly error?: string | null;
  readonly principal?: string;
  readonly action?: string;
  readonly resource?: string;
  readonly messages?: number;
  readonly records?: number;
  readonly sagas?: readonly string[];
}

/** What the emulator wrote about its decisions and the processes of functions; read on at each look. */
export class Journal {
  readonly denials: Denial[] = [];
  /** The function that each process works for now, by process id. */
  readonly working = new Map<number, string>();
  /** Processes that ended within an invocation. */
  readonly died = new Set<number>();
  /** Messages that a schedule sent when its time had come. */
  scheduledMessages = 0;
  /** Messages of the largest batch that a function was given. */
  largestBatch = 0;
  readonly sharedCommits: SharedCommit[] = [];
  emulatorProcessId: number | undefined;
  readonly #file: FileHandle;
  #position = 0;
  #rest = '';
  #reading: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<Journal> {
    return new Journal(await open(path, 'a+'));
  }

  async look(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readOn());
    await this.#reading;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #readOn(): Promise<void> {
    const buffer = Buffer.alloc(1 << 16);
    for (;;) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      const lines = (this.#rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as Entry);
    }
  }

  #take(entry: Entry): void {
    const { event, processId, functionName = '', principal = '', action = '', resource = '' } = entry;
    const { messages = 0, records = 0, sagas = [] } = entry;
    if (event === 'denied') this.denials.push({ principal, action, resource });
    if (event === 'scheduled message sent') this.scheduledMessages += 1;
    if (event === 'delivered') this.largestBatch = Math.max(this.largestBatch, messages);
    if (event === 'stored together') this.sharedCommits.push({ records, sagas });
    if (typeof processId !== 'number') return;
    if (event === 'started') this.emulatorProcessId = processId;
    if (event === 'working') this.working.set(processId, functionName);
    if (event !== 'resting') return;
    this.working.delete(processId);
    if (entry.error === 'Worker process died') this.died.add(processId);
  }
}
