import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixtureAssembly } from './fixture-app.ts';

/** The fixture with a table of its own: other test files run it on the same engine at the same time. */
export async function copyFixture(directory: string): Promise<void> {
  await cp(fixtureAssembly, directory, { recursive: true });
  await changeTemplate(directory, ({ Resources }) => {
    Resources.Ledger.Properties.TableName = `ledger-${randomUUID()}`;
  });
}

/**
 * Gives the table of the fixture a stream that feeds another function of the same code, `index.watch`, with the
 * changes of keys that begin with `OUTBOX#`.
 */
export async function addWatcher(directory: string, mapping: object = {}): Promise<void> {
  await changeTemplate(directory, ({ Resources }) => {
    const { Ledger, Echo } = Resources;
    Ledger.Properties.StreamSpecification = { StreamViewType: 'NEW_IMAGE' };
    const streamArn = { 'Fn::GetAtt': ['Ledger', 'StreamArn'] };
    Resources.Watcher = structuredClone(Echo);
    Resources.Watcher.Properties.Handler = 'index.watch';
    Resources.Watcher.Properties.Environment.Variables = { OUT: { Ref: 'Out' }, STREAM_ARN: streamArn };
    const keys = { dynamodb: { Keys: { PK: { S: [{ prefix: 'OUTBOX#' }] } } } };
    Resources.WatcherChanges = {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: streamArn,
        FunctionName: { Ref: 'Watcher' },
        StartingPosition: 'TRIM_HORIZON',
        FilterCriteria: { Filters: [{ Pattern: JSON.stringify(keys) }] },
        ...mapping,
      },
    };
    Resources.Reader = structuredClone(Echo);
    Resources.Reader.Properties.Handler = 'index.describe';
    Resources.Reader.Properties.Environment.Variables = {
      MAPPING: { 'Fn::GetAtt': ['WatcherChanges', 'Id'] },
    };
  });
}

/** Other code for its function, as a synth would write it. */
export async function replaceHandler(directory: string, name: string, code: string): Promise<void> {
  await mkdir(join(directory, `asset.${name}`), { recursive: true });
  await writeFile(join(directory, `asset.${name}`, 'index.mjs'), code);
  const file = join(directory, 'Fixture.assets.json');
  const assets = JSON.parse(await readFile(file, 'utf8'));
  assets.files.echo.source.path = `asset.${name}`;
  await writeFile(file, JSON.stringify(assets));
}

// biome-ignore lint/suspicious/noExplicitAny: a template of the fixture, whose form is known
export async function changeTemplate(directory: string, change: (template: any) => void): Promise<void> {
  const file = join(directory, 'Fixture.template.json');
  const template = JSON.parse(await readFile(file, 'utf8'));
  change(template);
  await writeFile(file, JSON.stringify(template));
}
