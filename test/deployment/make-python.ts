/** Makes the Python environment of `npm run lint-templates` and `npm run prove-deploy`, ahead of them. */
import { exitCodes, print, readCommandLine, runCommand } from '../support/command.ts';
import { pythonEnvironment } from './engine/python-environment.ts';

const usage = `Makes the Python environment of lint-templates and prove-deploy, if it is not there yet.

Usage: node --conditions=sagabox-source test/deployment/make-python.ts

  --help   this text

Exit code: 0 if the environment is there, 1 if it could not be made, 2 for options that are not understood, or if there is no Python 3.10, 130 when interrupted.
`;

process.exitCode = await runCommand(
  readCommandLine(process.argv.slice(2), usage, {}, (none) => none),
  usage,
  async (_options, signal) => {
    await pythonEnvironment(signal, print);
    return exitCodes.ok;
  },
);
