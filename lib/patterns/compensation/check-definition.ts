import { assertKeyName } from '../../dynamodb/keys.ts';
import {
  aDuration,
  aFunction,
  aList,
  anObject,
  anyValue,
  aString,
  assertCheck,
  assertOptionKinds,
  objectOf,
} from '../../kernel/checks/checks.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { someMessages } from '../../messages/definition-checks.ts';
import { isTimeoutDelay, placeOf } from '../definition-checks.ts';
import type { AnyCompensation, AnyDefinition, AnyStep } from './definition.ts';
import { ownTypes } from './own-messages.ts';
import { expectedReplies } from './reply-events.ts';

const page = 'docs/guide/compensation.md';

const ofCommand = {
  command: aString,
  body: aFunction,
  completedBy: aString,
  declinedBy: aString,
  timeout: aDuration,
};

const compensationChecks = ofCommand satisfies Record<keyof Required<AnyCompensation>, unknown>;
const stepChecks = {
  ...ofCommand,
  to: anObject,
  compensation: objectOf(compensationChecks),
} satisfies Record<keyof Required<AnyStep>, unknown>;

/** The settings that `defineSaga` has too are checked by it. */
const checks = {
  name: anyValue,
  startedBy: anObject,
  steps: anObject,
  correlate: aFunction,
  sends: aList,
  publishes: anyValue,
  onCompleted: aFunction,
  onCompensated: aFunction,
  outbox: anyValue,
  coalesce: anyValue,
  state: anyValue,
} satisfies Record<keyof Required<AnyDefinition>, unknown>;

/**
 * Refuses a definition that no process can go by, when it is made and not with the first message.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertDefinition(definition: AnyDefinition): void {
  const of = placeOf('compensate', definition);
  assertOptionKinds(of, definition, checks, { page, prefix: `${of}: ` });
  const { name, startedBy, steps, correlate } = definition;
  assertKeyName('compensate: name', name);
  assertGiven(of, { startedBy, steps, correlate });
  assertCheck(someMessages, startedBy, `${of}: startedBy`);
  const names = Object.keys(steps);
  if (names.length === 0)
    throw configurationError(
      `${of}: steps`,
      'there is none',
      'Give the steps of the process, in their order',
    );
  for (const step of names) assertStep(`${of}: steps.${step}`, step, steps[step] as AnyStep);
  assertOneMeaning(of, definition, Object.values(ownTypes(name)));
}

function assertStep(of: string, name: string, step: AnyStep): void {
  // JavaScript puts such a property ahead of all others, wherever it is written.
  if (/^(0|[1-9]\d*)$/.test(name))
    throw configurationError(
      of,
      'a number does not keep its place among the steps',
      'Name the step in letters',
    );
  if (name in Object.prototype)
    throw configurationError(of, 'every object of JavaScript has it', 'Give the step another name');
  assertOptionKinds(of, step, stepChecks, { page, prefix: `${of}: ` });
  const { to, command, body, completedBy, timeout, compensation } = step;
  assertGiven(of, { to, command, body, completedBy, timeout });
  if (to.kind !== 'contract')
    throw configurationError(
      `${of}: to`,
      'it is no contract',
      'Give a contract that defineContract returned',
    );
  assertOfContract(of, step, step);
  if (compensation === undefined) return;
  const { body: back, timeout: limit, command: taken, completedBy: done } = compensation;
  const ofBack = `${of}: compensation`;
  assertGiven(ofBack, { command: taken, body: back, completedBy: done, timeout: limit });
  assertOfContract(ofBack, step, compensation);
}

function assertGiven(of: string, settings: Readonly<Record<string, unknown>>): void {
  const missing = Object.keys(settings).find((name) => settings[name] === undefined);
  if (missing !== undefined) throw configurationError(`${of}: ${missing}`, 'it is missing', `See ${page}`);
}

function assertOfContract(
  of: string,
  { to }: AnyStep,
  {
    command,
    completedBy,
    declinedBy,
    timeout,
  }: Pick<AnyStep, 'command' | 'completedBy' | 'declinedBy' | 'timeout'>,
): void {
  assertKnown(`${of}: command`, command, `contract '${to.name}' has no message`, to.messages);
  for (const [setting, type] of Object.entries({ completedBy, declinedBy }))
    if (type !== undefined)
      assertKnown(`${of}: ${setting}`, type, `contract '${to.name}' has no reply`, to.replies);
  if (isTimeoutDelay(timeout)) return;
  const remedy = 'Give a duration such as { minutes: 5 }, up to a year';
  throw configurationError(`${of}: timeout`, 'it is zero or less, or over a year', remedy);
}

function assertKnown(setting: string, type: string, problem: string, schemas: object): void {
  if (Object.hasOwn(schemas, type)) return;
  const known = Object.keys(schemas).join(', ') || 'none';
  throw configurationError(
    setting,
    `${problem} '${type}' (known: ${known})`,
    'Name one of these, or add it there',
  );
}

/** A message tells its step by its type alone. */
function assertOneMeaning(of: string, { startedBy, steps }: AnyDefinition, own: readonly string[]): void {
  const meanings = new Map<string, string>(own.map((type) => [type, 'is sent by the process to itself']));
  const told = [
    ...Object.keys(startedBy).map((type) => [type, 'starts the process'] as const),
    ...expectedReplies(steps).map(
      ({ type, event }) => [type, `says '${event.kind}' of step '${event.step}'`] as const,
    ),
  ];
  for (const [type, meaning] of told) {
    const other = meanings.get(type);
    if (other !== undefined) {
      const remedy = 'Give each message type one meaning in the process';
      throw configurationError(of, `message '${type}' ${other}, and ${meaning}`, remedy);
    }
    meanings.set(type, meaning);
  }
}
