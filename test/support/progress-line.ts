/** One line that is repainted on a terminal; elsewhere a line every few seconds. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #quietMs: number;
  #writtenAt = 0;
  #painted = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#quietMs = stream.isTTY ? 100 : 5_000;
  }

  show(text: string): void {
    const now = Date.now();
    if (now - this.#writtenAt < this.#quietMs) return;
    this.#writtenAt = now;
    if (this.#stream.isTTY) {
      const width = this.#stream.columns || 80;
      this.#stream.write(`\r\u001b[2K${text.slice(0, width - 1)}`);
      this.#painted = true;
    } else {
      this.#stream.write(`${text}\n`);
    }
  }

  /** Leaves the terminal at the start of an empty line. */
  end(): void {
    if (this.#painted) this.#stream.write('\r\u001b[2K');
    this.#painted = false;
  }
}
