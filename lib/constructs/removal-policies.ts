import { RemovalPolicy } from 'aws-cdk-lib';
import { checkOf } from '../kernel/checks/checks.ts';

/** The policy of all that keeps messages, sagas or logs, where none is given. */
export const defaultRemovalPolicy = RemovalPolicy.RETAIN;

/** Without `SNAPSHOT`, which none of our resources has, and for which CDK would throw. */
const known: readonly unknown[] = [
  RemovalPolicy.DESTROY,
  RemovalPolicy.RETAIN,
  RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
];

export const aRemovalPolicy = checkOf(
  (value, described) =>
    known.includes(value)
      ? undefined
      : `${described()} is none that queues, tables, log groups and buckets have`,
  'Use RemovalPolicy.RETAIN, RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE or RemovalPolicy.DESTROY',
);
