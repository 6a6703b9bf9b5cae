/** How an engine is started on this machine. */
export interface EngineProgram {
  /** As people write it. */
  readonly label: string;
  readonly command: string;
  readonly argumentsFor: (port: number) => readonly string[];
  /** Says what of the program's output means, for an end that has a known cause. */
  readonly explain: (output: string) => EngineProblem | undefined;
  /** Whether it reports other units than DynamoDB, so that callers get a proxy that corrects them. */
  readonly isBehindProxy: boolean;
}

/** Why an engine cannot be started here, and what you can do about it. */
export interface EngineProblem {
  readonly problem: string;
  readonly remedy: string;
}

/** An engine that this machine may or may not have. */
export interface EngineSource {
  /** As `SAGABOX_DYNAMODB_ENGINE` takes it. */
  readonly name: 'dynoxide' | 'dynamodb-local';
  /** One way to get the engine, as a command or a sentence; undefined if the platform has none. */
  readonly wayToGet: string | undefined;
  /** The program, or why there is none. */
  readonly find: () => EngineProgram | EngineProblem;
}
