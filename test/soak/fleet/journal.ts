import { closeSync, openSync, writeSync } from 'node:fs';

/** Something that happened, as a line of JSON in the journal of a round. */
export interface JournalEntry {
  readonly at: string;
  readonly processId: number;
  readonly event: string;
  /** The messages that it concerns; none for what concerns all. */
  readonly ids: readonly string[];
  /** Of a request that was answered, in JSON. */
  readonly response?: string;
}

/** @param text of a journal: a line for each entry */
export function journalEntries(text: string): JournalEntry[] {
  return text.split('\n').flatMap(parsed);
}

/** A process that is killed while it writes leaves half a line. */
function parsed(line: string): JournalEntry[] {
  try {
    return [JSON.parse(line) as JournalEntry];
  } catch {
    return [];
  }
}

/** The journal of all processes of a round; a killed process loses none of its lines. */
export class Journal {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  note(event: string, ids: readonly string[] = [], response?: string): void {
    const at = new Date().toISOString();
    const entry: JournalEntry = { at, processId: process.pid, event, ids, ...(response && { response }) };
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}
