import type { IConstruct } from 'constructs';
import { Problems } from './problems.ts';

/**
 * What is wrong with the settings of one construct. All of it is reported at synth, with the path of the
 * construct. Until then the construct goes on with values that CDK's own constructors take: one of them that
 * throws would hide all other problems.
 */
export class Violations extends Problems {
  /**
   * @param atSynth rules whose facts are complete at synth only, as the destinations of an endpoint
   * @param found before the construct was made
   */
  constructor(scope: IConstruct, atSynth: () => readonly string[] = () => [], found: readonly string[] = []) {
    super(found);
    scope.node.addValidation({ validate: () => [...this.found, ...atSynth()] });
  }
}
