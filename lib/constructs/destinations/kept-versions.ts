import { CfnDeletionPolicy, Stack } from 'aws-cdk-lib';
import { CfnVersion, type IFunction, Version } from 'aws-cdk-lib/aws-lambda';

/** Whether former versions of a function stay, and may start at any time, when the stack has a newer one. */
export function keepsVersions(handler: IFunction): boolean {
  return Stack.of(handler)
    .node.findAll()
    .some((one) => one instanceof Version && one.lambda === handler && isKept(one));
}

function isKept({ node }: Version): boolean {
  const { defaultChild: resource } = node;
  const policy = resource instanceof CfnVersion ? resource.cfnOptions.deletionPolicy : undefined;
  return policy === CfnDeletionPolicy.RETAIN || policy === CfnDeletionPolicy.RETAIN_EXCEPT_ON_CREATE;
}
