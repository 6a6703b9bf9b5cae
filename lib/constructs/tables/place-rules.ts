import type { Stack } from 'aws-cdk-lib';
import type { AnyTable } from '../any-resource.ts';
import { isElsewhere } from '../destinations/regions.ts';
import { hasForeignKey, hasKnownName, isOfAnotherAccount, type Place, placeOf } from './table-place.ts';

interface Tables {
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

/** What the rules look at of each table of an endpoint. */
export interface PlaceFacts {
  readonly setting: keyof Tables;
  readonly path: string;
  readonly place: Place;
  /** Of the endpoint. */
  readonly account: string;
  readonly region: string;
  readonly hasKnownName: boolean;
  readonly hasForeignKey: boolean;
  /** The account of the endpoint's other table, which comes first. */
  readonly otherAccount: string | undefined;
}

/** @returns cause and remedy when the rule is violated */
type Rule = (facts: PlaceFacts) => string | undefined;

export const placeRules: readonly Rule[] = [
  function tableIsInTheRegion({ setting, path, place, region }) {
    if (!isElsewhere(place.region, region)) return undefined;
    return (
      `${setting}: '${path}' is in '${place.region}', and the endpoint in '${region}', where DynamoDB does not know it. ` +
      'Use a table of the same region.'
    );
  },

  function tableOfAnotherAccountHasAName({ setting, path, place, account, hasKnownName }) {
    if (hasKnownName || !isElsewhere(place.account, account)) return undefined;
    return (
      `${setting}: '${path}' is of the account '${place.account}', and has no name by which the endpoint of the account ` +
      `'${account}' could use it. Give the table a tableName, or import it by its ARN.`
    );
  },

  function keyOfAnotherAccountIsImported({ setting, path, place, account, hasForeignKey }) {
    if (!hasForeignKey) return undefined;
    return (
      `${setting}: the key of '${path}' is made by this app in the account '${place.account}', and the endpoint of the ` +
      `account '${account}' cannot know its ARN. Import the key by its ARN (Key.fromKeyArn), or use no customer managed key.`
    );
  },

  function tablesAreOfOneAccount({ place, otherAccount }) {
    if (otherAccount === undefined || !isElsewhere(otherAccount, place.account)) return undefined;
    return (
      `sagaTable, outboxTable: they are of the accounts '${otherAccount}' and '${place.account}', ` +
      'and a transaction of DynamoDB takes tables of one account. Use two tables of one account.'
    );
  },
];

/** What is wrong with where the tables of an endpoint are, each with its cause and its remedy. */
export function placeViolations(
  { account, region }: Pick<Stack, 'account' | 'region'>,
  tables: Tables,
): string[] {
  const { sagaTable } = tables;
  const found: string[] = [];
  for (const [setting, table] of Object.entries(tables) as [keyof Tables, AnyTable | undefined][]) {
    if (table === undefined) continue;
    const facts: PlaceFacts = {
      setting,
      path: table.node.path,
      place: placeOf(table),
      account,
      region,
      hasKnownName: !isOfAnotherAccount(table, account) || hasKnownName(table),
      hasForeignKey: hasForeignKey(table, account),
      otherAccount: setting === 'outboxTable' && sagaTable ? placeOf(sagaTable).account : undefined,
    };
    found.push(...placeRules.map((rule) => rule(facts)).filter((violation) => violation !== undefined));
  }
  return found;
}
