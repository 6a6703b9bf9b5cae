import { localArn } from '../../../lib/local/app/identity.ts';
import type { LocalResource } from '../../../lib/local/app/resources/model.ts';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';
import { requiredAccess } from './required-access.ts';
import {
  accessOfLambda,
  accessOfSchedules,
  accessToSettings,
  isFunction,
  type RoleAccess,
  roleOfFunction,
  sendAccess,
} from './service-access.ts';

export type { RoleAccess } from './service-access.ts';

/** What an app did: its calls, and the resources that they went to. */
export interface Journey {
  readonly resources: readonly LocalResource[];
  readonly calls: readonly ProxiedCall[];
}

interface TableProperties {
  readonly KeySchema?: readonly { readonly AttributeName: string; readonly KeyType: string }[];
}

/** The permissions that each role of the app needed: for the calls of its functions, and of services for it. */
export function neededAccess({ resources, calls }: Journey): RoleAccess[] {
  const partitionKeyOf = (tableName: string): string => {
    const table = resources.find(
      ({ type, name }) => type.startsWith('AWS::DynamoDB::') && name === tableName,
    );
    const { KeySchema = [] } = (table?.properties ?? {}) as TableProperties;
    return KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  };
  const roles = new Map(resources.filter(isFunction).map((one) => [one.name, roleOfFunction(one)]));
  const ofFunctions = calls.map((call) => ({
    role: roles.get(call.functionName) ?? call.functionName,
    requests: isSend(call) ? sendAccess(resources, queueArnOf(call)) : requiredAccess(call, partitionKeyOf),
  }));
  return [
    ...ofFunctions,
    ...accessOfLambda(resources),
    ...accessToSettings(resources),
    ...accessOfSchedules(calls, resources),
  ];
}

function isSend({ service, operation }: ProxiedCall): boolean {
  return service === 'sqs' && operation.startsWith('SendMessage');
}

function queueArnOf({ request }: ProxiedCall): string {
  return localArn('sqs', String(request.QueueUrl).split('/').at(-1) ?? '');
}
