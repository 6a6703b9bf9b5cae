import { ServiceError } from '../service-error.ts';
import type { ScheduleRequest } from './request.ts';
import type { Schedules } from './schedules.ts';

interface SchedulerCall {
  readonly name: string;
  readonly groupName: string | undefined;
  readonly body: string;
}

type Operation = (call: SchedulerCall, schedules: Schedules) => object;

/** By method and kind of the path. */
const operations: Readonly<Record<string, Operation>> = {
  'POST schedules': ({ name, body }, schedules) => ({
    ScheduleArn: schedules.create(name, JSON.parse(body) as ScheduleRequest),
  }),
  'GET schedules': ({ name, groupName }, schedules) => schedules.get(name, groupName),
  'DELETE schedules': ({ name, groupName }, schedules) => {
    schedules.delete(name, groupName);
    return {};
  },
  'POST schedule-groups': ({ name }, schedules) => ({ ScheduleGroupArn: schedules.createGroup(name) }),
  'GET schedule-groups': ({ name }, schedules) => schedules.getGroup(name),
};

/** Answers one call of the REST protocol of EventBridge Scheduler. */
export function callScheduler(method: string, url: URL, body: string, schedules: Schedules): object {
  const [, kind = '', name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const perform = operations[`${method} ${kind}`];
  if (perform === undefined || name === '' || rest.length > 0) {
    throw new ServiceError(
      'UnknownOperationException',
      `The local scheduler does not play ${method} ${url.pathname}`,
      404,
    );
  }
  return perform({ name, groupName: url.searchParams.get('groupName') ?? undefined, body }, schedules);
}
