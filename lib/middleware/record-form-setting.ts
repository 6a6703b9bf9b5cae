import { environmentVariables } from '../core/environment-variables.ts';
import { configurationError } from '../core/failures/errors.ts';
import { describeValue } from '../core/failures/thrown.ts';
import { RECORD_FORM_DEFAULT, type RecordForm, recordForms } from '../core/outbox/record-form.ts';
import type { EndpointOptions } from './options.ts';
import type { Environment } from './settings.ts';

/** @throws SagaboxError `Configuration` */
export function recordFormOf(
  options: Pick<EndpointOptions, 'recordForm'>,
  environment: Environment,
): RecordForm {
  const variable = environmentVariables.recordForm;
  const configured: string = options.recordForm ?? (environment[variable] || RECORD_FORM_DEFAULT);
  const form = recordForms.find((known) => known === configured);
  if (form !== undefined) return form;
  const known = recordForms.map((name) => `'${name}'`).join(' or ');
  throw configurationError(
    `recordForm (or ${variable})`,
    `it is ${describeValue(configured)}`,
    `Use ${known}`,
  );
}
