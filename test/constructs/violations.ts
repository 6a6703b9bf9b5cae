import { type App, Stack } from 'aws-cdk-lib';
import { inlineFunction, unbundledStack } from './support.ts';

/** 'Regional', in an account and a region that are known, or of none. */
export function regionalStack(region: string | undefined): Stack {
  const main = unbundledStack();
  inlineFunction(main, 'Any');
  const app = main.node.root as App;
  return new Stack(app, 'Regional', region === undefined ? {} : { env: { account: '111111111111', region } });
}

/** What the rules find wrong with the app of a stack, at synth; empty for nothing. */
export function violationsOf(stack: Stack): string {
  try {
    (stack.node.root as App).synth();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
