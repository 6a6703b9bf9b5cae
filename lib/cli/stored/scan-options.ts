import { Option } from 'commander';
import { relayDefaults } from '../../relay/relay-defaults.ts';
import { wholeNumber } from '../option-values.ts';

export const scanDefaults = {
  maxReadUnits: relayDefaults.maxReadUnitsPerSecond,
  maxTotalReadUnits: 250,
} as const;

export interface ScanValues {
  readonly maxReadUnits?: number;
  readonly maxTotalReadUnits?: number;
}

export const scanOptions: readonly Option[] = [
  new Option(
    '--max-read-units <n>',
    `read units per second that a scan consumes at most (default: ${scanDefaults.maxReadUnits})`,
  ).argParser(wholeNumber),
  new Option(
    '--max-total-read-units <n>',
    `read units after which a search ends, with the page that reaches them (default: ${scanDefaults.maxTotalReadUnits})`,
  ).argParser(wholeNumber),
];
