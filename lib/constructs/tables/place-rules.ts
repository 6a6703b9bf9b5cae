import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { AnyTable } from '../construct-types.ts';
import { isElsewhere } from '../destinations/regions.ts';
import {
  foreignKeyProblem,
  hasManagedTableKey,
  isOfAnotherAccount,
  type Place,
  placeOf,
} from './table-place.ts';

interface Tables {
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

/** What the rules look at of each table of an endpoint. */
export interface PlaceFacts {
  readonly setting: keyof Tables;
  readonly path: string;
  readonly place: Place;
  /** That of the endpoint. */
  readonly region: string;
  /** Where both are, if the app makes the key of the table in another place than the endpoint. */
  readonly foreignKey: string | undefined;
  /** Whether the endpoint is of another account than the table, whose key no other account can use. */
  readonly isClosed: boolean;
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

  function keyOfAnotherPlaceIsImported({ setting, path, foreignKey }) {
    if (foreignKey === undefined) return undefined;
    return (
      `${setting}: the key of '${path}', ${foreignKey}, which cannot know the ARN that the app makes there. ` +
      `Import the key by its ARN (Key.fromKeyArn), or use no customer managed key.`
    );
  },

  /** Source: "Resource-based policy considerations" of DynamoDB (cross-account considerations). */
  function keyLetsOtherAccounts({ setting, path, isClosed }) {
    if (!isClosed) return undefined;
    return (
      `${setting}: '${path}' has a key of AWS (TableEncryption.AWS_MANAGED), which no other account can use, so that DynamoDB ` +
      'refuses every read and write of the endpoint. Use TableEncryption.DEFAULT, or import a key of yours.'
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
export function placeViolations(endpoint: Construct, tables: Tables): string[] {
  const { account, region } = Stack.of(endpoint);
  const { sagaTable } = tables;
  const found: string[] = [];
  for (const [setting, table] of Object.entries(tables) as [keyof Tables, AnyTable | undefined][]) {
    if (table === undefined) continue;
    const facts: PlaceFacts = {
      setting,
      path: table.node.path,
      place: placeOf(table),
      region,
      foreignKey: foreignKeyProblem(endpoint, table),
      isClosed: isOfAnotherAccount(table, account) && hasManagedTableKey(table),
      otherAccount: setting === 'outboxTable' && sagaTable ? placeOf(sagaTable).account : undefined,
    };
    found.push(...placeRules.map((rule) => rule(facts)).filter((violation) => violation !== undefined));
  }
  return found;
}
