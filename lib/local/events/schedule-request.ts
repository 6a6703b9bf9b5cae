import { timeOfAt } from './schedule-expression.ts';
import { validationError } from './service-error.ts';

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
  readonly Target?: {
    readonly Arn?: string;
    readonly RoleArn?: string;
    readonly Input?: string;
    /** Kept, and never used: what a schedule sends here arrives. */
    readonly DeadLetterConfig?: { readonly Arn?: string };
  };
}

/** What a schedule that the local scheduler plays is made of. */
export interface CheckedSchedule {
  readonly dueAt: Date;
  readonly queueUrl: string;
  /** SendMessage in the JSON of the wire. */
  readonly request: Readonly<Record<string, unknown>>;
}

const sendMessageTarget = /^arn:aws[a-zA-Z-]*:scheduler:::aws-sdk:sqs:sendMessage$/;
const roleArn = /^arn:aws(-[a-z]+)?:iam::\d{12}:role\/[\w+=,.@/-]+$/;
const maxInputBytes = 256 * 1_024;

/** @throws ServiceError `ValidationException` for what AWS refuses, and for what is not played here. */
export function checkSchedule(name: string, request: ScheduleRequest): CheckedSchedule {
  checkName('name', name);
  const dueAt = timeOfAt(request.ScheduleExpression ?? '');
  const problem = problemOf(request, dueAt);
  if (problem !== undefined || dueAt === undefined)
    throw validationError(problem ?? 'Invalid Schedule Expression');
  const input = inputOf(request.Target?.Input ?? '');
  if (typeof input?.QueueUrl !== 'string' || typeof input.MessageBody !== 'string') {
    throw validationError('Target.Input is not a SendMessage request in JSON, with QueueUrl and MessageBody');
  }
  return { dueAt, queueUrl: input.QueueUrl, request: input };
}

/** @throws ServiceError `ValidationException` */
export function checkName(what: string, name: string): void {
  if (/^[0-9a-zA-Z\-_.]{1,64}$/.test(name)) return;
  throw validationError(
    `Value '${name}' at '${what}' failed to satisfy constraint: 1 to 64 characters of 0-9 a-z A-Z - _ .`,
  );
}

function problemOf(request: ScheduleRequest, dueAt: Date | undefined): string | undefined {
  const { Target: target, FlexibleTimeWindow: window } = request;
  if (dueAt === undefined) {
    return `Invalid Schedule Expression ${request.ScheduleExpression} (the local scheduler plays at(yyyy-mm-ddThh:mm:ss) only)`;
  }
  if ((request.ScheduleExpressionTimezone ?? 'UTC') !== 'UTC')
    return 'The local scheduler plays the time zone UTC only';
  if (window?.Mode !== 'OFF')
    return 'FlexibleTimeWindow.Mode must be OFF (the local scheduler plays no other)';
  if ((request.State ?? 'ENABLED') !== 'ENABLED') return 'The local scheduler plays enabled schedules only';
  if (request.StartDate !== undefined || request.EndDate !== undefined) {
    return 'The local scheduler plays no StartDate and no EndDate';
  }
  if (!roleArn.test(target?.RoleArn ?? ''))
    return `Value '${target?.RoleArn}' at 'target.roleArn' is not the ARN of a role`;
  if (!sendMessageTarget.test(target?.Arn ?? '')) {
    return `Target ${target?.Arn}: the local scheduler plays arn:aws:scheduler:::aws-sdk:sqs:sendMessage only`;
  }
  const inputBytes = Buffer.byteLength(target?.Input ?? '');
  return inputBytes > maxInputBytes
    ? `Target.Input has ${inputBytes} bytes, and ${maxInputBytes} are allowed`
    : undefined;
}

function inputOf(json: string): Record<string, unknown> | undefined {
  try {
    const input: unknown = JSON.parse(json);
    return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
