import { localArn } from '../../app/identity.ts';
import type { SendToQueue } from '../queue-sender.ts';
import type { QueueTimers } from '../queue-timers.ts';
import { notFound, ServiceError } from '../service-error.ts';
import { checkName, checkSchedule, type ScheduleRequest } from './request.ts';

/** A schedule that has not sent yet. */
export interface PendingSchedule {
  readonly name: string;
  readonly groupName: string;
  /** The time that its expression names. */
  readonly dueAt: Date;
  /** Seconds that are left on the clock of the queues. */
  readonly dueInSeconds: number;
}

interface StoredSchedule {
  readonly arn: string;
  readonly request: ScheduleRequest;
  readonly dueAt: Date;
  readonly dueMs: number;
  readonly cancel: () => void;
  isCompleted: boolean;
}

const defaultGroupName = 'default';

/**
 * The schedule groups and their one-time schedules.
 *
 * Who creates a schedule reads the real clock; the clock of the queues may be faster, and ahead of it. So the
 * time left until the schedule is due is taken from the real clock, and passes on that of the queues.
 */
export class Schedules {
  readonly #groups = new Map<string, Map<string, StoredSchedule>>([[defaultGroupName, new Map()]]);
  readonly #send: SendToQueue;
  readonly #timers: QueueTimers;

  constructor(send: SendToQueue, timers: QueueTimers) {
    this.#send = send;
    this.#timers = timers;
  }

  /** Answers one call of the REST protocol of EventBridge Scheduler. */
  call(method: string, url: URL, body: string): object {
    const [, kind, name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const groupName = url.searchParams.get('groupName') ?? defaultGroupName;
    switch (name === '' || rest.length > 0 ? '' : `${method} ${kind}`) {
      case 'POST schedules':
        return { ScheduleArn: this.#create(name, JSON.parse(body)) };
      case 'GET schedules':
        return this.#describe(name, groupName);
      case 'DELETE schedules':
        this.#schedule(name, groupName).cancel();
        this.#group(groupName).delete(name);
        return {};
      case 'POST schedule-groups':
        return { ScheduleGroupArn: this.#createGroup(name) };
      case 'GET schedule-groups':
        this.#group(name);
        return { Arn: arnOfGroup(name), Name: name, State: 'ACTIVE' };
      default:
        throw new ServiceError(
          'UnknownOperationException',
          `The local scheduler does not play ${method} ${url.pathname}`,
          404,
        );
    }
  }

  /** Those that have not sent yet, the next one first. */
  pending(): PendingSchedule[] {
    const nowMs = this.#timers.now();
    return [...this.#groups]
      .flatMap(([groupName, group]) =>
        [...group]
          .filter(([, { isCompleted }]) => !isCompleted)
          .map(([name, { dueAt, dueMs }]) => ({
            name,
            groupName,
            dueAt,
            dueInSeconds: Math.max(0, (dueMs - nowMs) / 1_000),
          })),
      )
      .sort((one, other) => one.dueInSeconds - other.dueInSeconds);
  }

  #createGroup(name: string): string {
    checkName(name);
    if (this.#groups.has(name)) throw conflict(`Schedule group ${name} already exists.`);
    this.#groups.set(name, new Map());
    return arnOfGroup(name);
  }

  /** @returns the ARN of the new schedule, also when the same call is made again. */
  #create(name: string, request: ScheduleRequest): string {
    const { dueAt, queueUrl, message } = checkSchedule(name, request);
    const { GroupName: groupName = defaultGroupName, ClientToken: token } = request;
    const group = this.#group(groupName);
    const existing = group.get(name);
    if (existing !== undefined) {
      if (token !== undefined && token === existing.request.ClientToken) return existing.arn;
      throw conflict(`Schedule ${name} already exists.`);
    }
    const dueMs = this.#timers.now() + dueAt.getTime() - Date.now();
    const schedule: StoredSchedule = {
      arn: localArn('scheduler', `schedule/${groupName}/${name}`),
      request,
      dueAt,
      dueMs,
      isCompleted: false,
      cancel: this.#timers.schedule(dueMs, async () => {
        schedule.isCompleted = true;
        if (request.ActionAfterCompletion === 'DELETE') group.delete(name);
        await this.#send(queueUrl, message);
      }),
    };
    group.set(name, schedule);
    return schedule.arn;
  }

  #describe(name: string, groupName: string): object {
    const { arn, request } = this.#schedule(name, groupName);
    const { ClientToken: _token, ...settings } = request;
    return { State: 'ENABLED', GroupName: defaultGroupName, ...settings, Arn: arn, Name: name };
  }

  #group(name: string): Map<string, StoredSchedule> {
    const group = this.#groups.get(name);
    if (group === undefined) throw notFound(`Schedule group ${name} does not exist.`, 404);
    return group;
  }

  #schedule(name: string, groupName: string): StoredSchedule {
    const schedule = this.#group(groupName).get(name);
    if (schedule === undefined) throw notFound(`Schedule ${name} does not exist.`, 404);
    return schedule;
  }
}

function arnOfGroup(name: string): string {
  return localArn('scheduler', `schedule-group/${name}`);
}

function conflict(message: string): ServiceError {
  return new ServiceError('ConflictException', message, 409);
}
