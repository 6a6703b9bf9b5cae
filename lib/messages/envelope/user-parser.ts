import * as types from 'node:util/types';
import type { SQSRecord } from 'aws-lambda';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import { isError } from '../../kernel/errors/thrown.ts';
import { parsedJson } from '../../kernel/parsed-json.ts';
import { mayBeRounded, roundedIntegerIn, roundingProblem } from '../../kernel/values/rounded-integer.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { describeError } from '../failures/failure-facts.ts';
import { asJsonObject, asNonEmptyString } from './json-values.ts';
import { Unreadable } from './reading.ts';

/** A message as a parser of your own reads it. What it leaves out is filled in as without a parser. */
export interface ParsedMessage {
  /** The id that deduplication compares: the same for each copy of the message, and for no other one. */
  readonly id?: string;
  readonly type?: string;
  /** The body; `null` for a message without one. */
  readonly body: unknown;
  /** The headers to add to those that are read without the parser, in place of those of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly sentAt?: Date;
}

/** Reads a record; `undefined` leaves it to the formats that sagabox knows. Not asynchronous. */
export type ParseMessage = (record: SQSRecord) => ParsedMessage | undefined;

/** @throws Unreadable for an error or a wrong result of the parser, unless the error is a SagaboxError */
export function parseByUser(record: SQSRecord, parse: ParseMessage): ParsedMessage | undefined {
  try {
    const parsed: unknown = parse(record);
    return parsed === undefined ? undefined : withExactId(checked(parsed), record);
  } catch (error) {
    if (isSagaboxError(error) || (isError(error) && error instanceof Unreadable)) throw error;
    throw new Unreadable(`its parser threw an error (${describeError(error).message})`, {
      cause: error,
      remedy: PARSER_REMEDY,
    });
  }
}

const PARSER_REMEDY = "Correct the option 'parse', or the sender";

function checked(parsed: unknown): ParsedMessage {
  if (types.isPromise(parsed)) {
    // A promise that rejects must not end the process.
    parsed.catch(() => {});
    throw wrong('it is a promise');
  }
  const { id, type, body, headers, sentAt } = asJsonObject(parsed) ?? {};
  if (body === undefined) throw wrong("it has no 'body'");
  if (id !== undefined && !asNonEmptyString(id)) throw wrong("its 'id' is not a string, or empty");
  if (type !== undefined && typeof type !== 'string') throw wrong("its 'type' is not a string");
  if (headers !== undefined && !areHeaders(headers))
    throw wrong("its 'headers' are not an object of strings");
  if (sentAt !== undefined && !isValidDate(sentAt)) throw wrong("its 'sentAt' is not a valid date");
  return { id, type, body, headers, sentAt } as ParsedMessage;
}

/** Refuses an id of a rounded integer: messages whose ids JavaScript rounds alike would be copies of one. */
function withExactId(parsed: ParsedMessage, record: SQSRecord): ParsedMessage {
  const { id = '', body } = parsed;
  if (!mayBeRounded(id)) return parsed;
  const rounded = roundedIntegerIn(id, parsedJson(record.body), body);
  if (rounded) throw wrong(`its 'id' is ${roundingProblem(rounded)}`);
  return parsed;
}

function areHeaders(headers: unknown): boolean {
  return isJsonObject(headers) && Object.values(headers).every((value) => typeof value === 'string');
}

function isValidDate(value: unknown): boolean {
  return types.isDate(value) && !Number.isNaN(value.getTime());
}

function wrong(problem: string): Unreadable {
  return new Unreadable(`what its parser returned is no message: ${problem}`, { remedy: PARSER_REMEDY });
}
