import { closeSync, openSync, writeSync } from 'node:fs';

/** Something that happened, as a line of JSON in the journal of a round. */
export interface JournalEntry {
  readonly at: string;
  readonly processId: number;
  readonly event: string;
  /** The messages that it concerns; none for what concerns all. */
  readonly ids: readonly string[];
}

/** The journal of all processes of a round; a killed process loses none of its lines. */
export class Journal {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  note(event: string, ids: readonly string[] = []): void {
    const entry: JournalEntry = { at: new Date().toISOString(), processId: process.pid, event, ids };
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}
