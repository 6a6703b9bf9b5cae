import { stepsOf } from '../../../lib/capacity/measured/call-steps.ts';
import type { ComparedStep } from '../../../lib/capacity/measured/comparison.ts';
import { compareSteps } from '../../../lib/capacity/measured/comparison.ts';
import type { MeteredCall } from '../../../lib/capacity/measured/recorded-call.ts';
import type { PlannedStep } from '../../../lib/capacity/message-shape.ts';

/**
 * The steps whose calls, items or units are other than planned. Of calls of the handler itself, which no plan
 * has, there are none.
 */
export function differences(steps: readonly PlannedStep[], calls: readonly MeteredCall[]): ComparedStep[] {
  return compareSteps(steps, calls.flatMap(stepsOf)).filter(
    ({ isEqual, step }) => !isEqual || step === 'other',
  );
}
