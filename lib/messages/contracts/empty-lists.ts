import { checkBody } from './check-body.ts';
import type { OutgoingChecks, SenderContracts } from './contract.ts';
import { refuserOf } from './refusal.ts';

/** The checks of a sender whose lists are all empty: there is no contract that would bring its own. */
export function emptyListChecks(listed: SenderContracts): OutgoingChecks {
  const { timeouts = {} } = listed;
  return {
    check: (list, message) => {
      if (listed[list] === undefined) return undefined;
      const { type, destination } = message;
      const schema = list === 'timeouts' && Object.hasOwn(timeouts, type) ? timeouts[type] : undefined;
      const refuse = refuserOf(type, destination);
      return schema ? checkBody(schema, message) : refuse(`there is no contract in '${list}' that has it`);
    },
  };
}
