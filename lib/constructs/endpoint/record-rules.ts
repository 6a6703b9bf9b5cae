import { assertKeyName } from '../../dynamodb/keys.ts';
import type { Rule } from './endpoint-facts.ts';
import type { SendingFacts } from './sending-facts.ts';

/** Of the name under which an endpoint keeps its records. */
export const recordRules: readonly Rule<SendingFacts>[] = [
  function endpointNameFitsTheKeys({ endpointName }) {
    if (endpointName === undefined) return undefined;
    try {
      assertKeyName('endpointName', endpointName);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  },

  function endpointNameIsUniqueInItsOutbox({ endpointName, namesakes }) {
    if (namesakes.length === 0) return undefined;
    return (
      `endpointName: '${endpointName}' is also the name of ${namesakes.join(', ')}, with the same outbox table, so ` +
      'that each would drop the messages of the other as duplicates. Give each endpoint a name of its own.'
    );
  },
];
