import { RemovalPolicy } from 'aws-cdk-lib';
import { describeProp, type PropCheck, propCheck } from './checks/prop-checks.ts';

/** Without `SNAPSHOT`, which none of our resources has, and for which CDK would throw. */
const known: readonly unknown[] = [
  RemovalPolicy.DESTROY,
  RemovalPolicy.RETAIN,
  RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
];

export const aRemovalPolicy: PropCheck = propCheck((value, setting) => {
  if (known.includes(value)) return undefined;
  return {
    setting,
    problem: `${describeProp(value)} is none that queues, tables, log groups and buckets have`,
  };
}, 'Use RemovalPolicy.RETAIN, RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE or RemovalPolicy.DESTROY');
