import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isJsonObject } from '../../kernel/values/value-kind.ts';

type Issues = readonly StandardSchemaV1.Issue[];

/** What is wrong with a property; undefined for a value that fits. */
export type PropertyCheck = (value: unknown) => string | undefined;

export const aString: PropertyCheck = (value) =>
  typeof value === 'string' && value !== '' && value.isWellFormed() ? undefined : 'it is no non-empty string';
export const anIndex: PropertyCheck = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'it is no whole number from 0';
export const anArray: PropertyCheck = (value) => (Array.isArray(value) ? undefined : 'it is no array');
export const anything: PropertyCheck = () => undefined;

export function optional(check: PropertyCheck): PropertyCheck {
  return (value) => (value === undefined ? undefined : check(value));
}

/**
 * A Standard Schema by hand, which no bundle pays for: the runtime has no schema library. It returns the body as it is.
 *
 * @param furtherIssues of a body whose properties fit
 */
export function bodySchema<Body>(
  properties: Readonly<Record<keyof Body & string, PropertyCheck>>,
  furtherIssues: (body: Body) => Issues | Promise<Issues> = () => [],
): StandardSchemaV1<Body> {
  const resultOf = (body: unknown, issues: Issues): StandardSchemaV1.Result<Body> =>
    issues.length > 0 ? { issues } : { value: body as Body };
  return {
    '~standard': {
      version: 1,
      vendor: 'sagabox',
      validate(body) {
        if (!isJsonObject(body)) return resultOf(body, [{ message: 'it is no object' }]);
        const issues = propertyIssues(properties, body);
        if (issues.length > 0) return resultOf(body, issues);
        const further = furtherIssues(body as Body);
        return further instanceof Promise
          ? further.then((found) => resultOf(body, found))
          : resultOf(body, further);
      },
    },
  };
}

function propertyIssues(
  properties: Readonly<Record<string, PropertyCheck>>,
  body: Readonly<Record<string, unknown>>,
): Issues {
  return Object.entries(properties).flatMap(([name, check]) => {
    const message = check(Object.hasOwn(body, name) ? body[name] : undefined);
    return message === undefined ? [] : [{ message, path: [name] }];
  });
}
