/** Entry of `npm run ric`: bundled functions on Lambda's own runtime interface client, and local engines. */
import { conclude, print, readCommandLine, runCommand } from '../support/command.ts';
import { withFolder } from '../support/with-folder.ts';
import { synthesizeRicApp } from './app/ric-app.ts';
import { type JourneyFigures, runJourney } from './journey.ts';
import { RicInstance } from './ric-instance.ts';
import { runtimeInterfaceClient } from './runtime-interface-client.ts';

const usage = `npm run ric

Runs the bundled functions of an HTTP API, of a saga and of an endpoint without one on aws-lambda-ric, the
program that runs Node functions on Lambda, against local engines: orders are placed twice at once and once
more, and functions are killed at each seam. The first run compiles the client into .ric/, which needs Linux,
cmake, a C and a C++ compiler, Python and the headers of Node.

Exit code: 0 if each order ended with one order, one response, one saga and one charge; 1 if not, or if the
client cannot be compiled; 2 for an unknown option, or if the machine lacks a program that compiles it.`;

async function run(_options: object, signal: AbortSignal): Promise<number> {
  const client = await runtimeInterfaceClient(signal, print);
  const figures = await withFolder('sagabox-ric-', async (directory) => {
    print('Synthesizing and bundling the app ...');
    synthesizeRicApp(directory);
    signal.throwIfAborted();
    print(`Running its functions on aws-lambda-ric ${client.version} and Node ${process.versions.node}`);
    return await runJourney(directory, (options) => new RicInstance(client.program, options), print, signal);
  });
  print(`\n${summaryOf(figures)}`);
  return conclude(figures.complaints, 'OK', '\n       ');
}

function summaryOf({ orders, requests, kills, messagesHandled, logLines }: JourneyFigures): string {
  return `${orders} orders by ${requests} requests, ${kills.length} instances killed, ${messagesHandled} messages handled, ${logLines} log lines`;
}

process.exitCode = await runCommand(
  readCommandLine(process.argv.slice(2), usage, {}, (values) => values),
  usage,
  run,
);
