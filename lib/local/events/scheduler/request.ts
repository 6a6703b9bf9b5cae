import { parsedJson } from '../../../kernel/parsed-json.ts';
import { validationError } from '../service-error.ts';
import { timeOfAt } from './expression.ts';

/** CreateSchedule, in the JSON of the wire. */
export interface ScheduleRequest {
  readonly GroupName?: string;
  readonly ClientToken?: string;
  readonly ScheduleExpression?: string;
  readonly ScheduleExpressionTimezone?: string;
  readonly FlexibleTimeWindow?: { readonly Mode?: string };
  readonly ActionAfterCompletion?: string;
  readonly State?: string;
  readonly StartDate?: number;
  readonly EndDate?: number;
  /** Its dead-letter queue is kept, and never used: what a schedule sends here arrives. */
  readonly Target?: { readonly Arn?: string; readonly RoleArn?: string; readonly Input?: string };
}

/** What a schedule that the local scheduler plays is made of. */
export interface CheckedSchedule {
  readonly dueAt: Date;
  readonly queueUrl: string;
  /** SendMessage in the JSON of the wire. */
  readonly message: object;
}

const sendMessageTarget = /^arn:aws[a-zA-Z-]*:scheduler:::aws-sdk:sqs:sendMessage$/;
const roleArn = /^arn:aws(-[a-z]+)?:iam::\d{12}:role\/[\w+=,.@/-]+$/;
const maxInputBytes = 256 * 1_024;

/** @throws ServiceError `ValidationException` for what AWS refuses, and for what is not played here. */
export function checkSchedule(name: string, request: ScheduleRequest): CheckedSchedule {
  checkName(name);
  const {
    ScheduleExpression: expression = '',
    ScheduleExpressionTimezone: timezone = 'UTC',
    FlexibleTimeWindow: { Mode: windowMode } = {},
    State: state = 'ENABLED',
    Target: { Arn: target = '', RoleArn: role = '', Input: input = '' } = {},
  } = request;
  const dueAt = timeOfAt(expression);
  const inputBytes = Buffer.byteLength(input);
  if (dueAt === undefined) {
    throw validationError(
      `Invalid Schedule Expression ${expression} (the local scheduler plays at(yyyy-mm-ddThh:mm:ss))`,
    );
  }
  const refusals: readonly (readonly [isRefused: boolean, reason: string])[] = [
    [timezone !== 'UTC', 'The local scheduler plays the time zone UTC only'],
    [windowMode !== 'OFF', 'FlexibleTimeWindow.Mode must be OFF (the local scheduler plays no other)'],
    [state !== 'ENABLED', 'The local scheduler plays enabled schedules only'],
    ['StartDate' in request || 'EndDate' in request, 'The local scheduler plays no StartDate and no EndDate'],
    [!roleArn.test(role), `Value '${role}' at 'target.roleArn' is not the ARN of a role`],
    [
      !sendMessageTarget.test(target),
      `Target ${target}: the local scheduler plays arn:aws:scheduler:::aws-sdk:sqs:sendMessage`,
    ],
    [inputBytes > maxInputBytes, `Target.Input has ${inputBytes} bytes, and ${maxInputBytes} are allowed`],
  ];
  const refusal = refusals.find(([isRefused]) => isRefused);
  if (refusal !== undefined) throw validationError(refusal[1]);
  const message = parsedJson(input) as Record<string, unknown> | null | undefined;
  if (typeof message?.QueueUrl !== 'string' || typeof message.MessageBody !== 'string') {
    throw validationError('Target.Input is not a SendMessage request in JSON, with QueueUrl and MessageBody');
  }
  return { dueAt, queueUrl: message.QueueUrl, message };
}

/** @throws ServiceError `ValidationException` */
export function checkName(name: string): void {
  if (/^[0-9a-zA-Z\-_.]{1,64}$/.test(name)) return;
  throw validationError(
    `Value '${name}' at 'name' failed to satisfy constraint: 1 to 64 characters of 0-9 a-z A-Z - _ .`,
  );
}
