import { expect } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import type { ScaleLimit } from 'sagabox/capacity';
import { runCommandLine } from '../../../support/command-io.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

export interface Told {
  readonly name: string;
  readonly monthlyCost: { readonly onDemand: number; readonly provisioned: number };
  readonly [figure: string]: unknown;
}

interface ToldApp {
  readonly tables: Told[];
  readonly total: Record<string, unknown>;
  readonly environments: {
    readonly account?: string;
    readonly region: string;
    readonly limits: ScaleLimit[];
  }[];
}

/** Apps that are synthesized into folders of their own, and what `sagabox plan --app` tells of them. */
export function plannedApps() {
  const temporary = temporaryDirectory();

  function synthesized(name: string, build: (app: App) => void, withPaths = true): string {
    const outdir = temporary(name);
    // As the command of the CDK does.
    const app = new App({ outdir, context: { 'aws:cdk:enable-path-metadata': withPaths } });
    build(app);
    app.synth();
    return outdir;
  }

  async function told(...args: string[]): Promise<string[]> {
    const { exitCode, out, err } = await runCommandLine('plan', '--app', ...args);
    expect([exitCode, err]).toEqual([0, '']);
    return out;
  }

  async function planned(app: string): Promise<ToldApp> {
    const [line, ...others] = await told(app, '--json');
    expect(others).toEqual([]);
    return JSON.parse(line ?? '');
  }

  return { synthesized, told, planned };
}
