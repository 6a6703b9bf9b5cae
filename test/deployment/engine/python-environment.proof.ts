import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { pythonEnvironment } from './python-environment.ts';

const never = new AbortController().signal;
const requirements = 'boto3==1.0.0\nministack==1.5.33\n';
/** What `python3 -c` of these versions answers to the question whether it is too old. */
const answers = { 3.9: 1, '3.10': 0 } as const;
const inRoot = directoryOfTest();

describe('the Python environment of the emulator', () => {
  let said: string[];

  /** Stands for Python: notes its arguments, and makes itself the Python of an environment. */
  const installPython = async (name: string, version: keyof typeof answers, venv = 'works') => {
    const makeVenv =
      venv === 'works'
        ? '/bin/mkdir -p "$3/bin" && /bin/cp "$0" "$3/bin/python"'
        : 'echo "No module named ensurepip" >&2; exit 1';
    const script = `#!/bin/sh
echo "$*" >> '${inRoot('log')}'
case "$1 $2" in
  "-c "*) exit ${answers[version]};;
  "-m venv") ${makeVenv};;
esac
`;
    await writeFile(inRoot('bin', name), script);
    await chmod(inRoot('bin', name), 0o755);
  };
  const environment = () =>
    pythonEnvironment(never, (line) => said.push(line), {
      directory: inRoot('environment'),
      requirementsFile: inRoot('requirements.txt'),
      processEnvironment: { PATH: inRoot('bin') },
    });

  beforeEach(async () => {
    said = [];
    await mkdir(inRoot('bin'));
    await writeFile(inRoot('requirements.txt'), requirements);
  });

  it('is not made where Python is missing, and tells what to install', async () => {
    const message =
      /needs Python 3\.10 or newer, and there is none: install Python 3\.10 or newer with its venv module/;
    await expect(environment()).rejects.toMatchObject({
      name: 'MissingPrerequisite',
      message: expect.stringMatching(message),
    });
  });

  it('is not made by a Python that is too old', async () => {
    await installPython('python3', 3.9);
    await expect(environment()).rejects.toThrow('needs Python 3.10 or newer, and there is none');
  });

  it('is made by another Python where the first is too old', async () => {
    await installPython('python3', 3.9);
    await installPython('python3.12', '3.10');
    await environment();
  });

  it('is not made without the venv module, and tells what to install', async () => {
    await installPython('python3', '3.10', 'fails');
    const made = environment();
    await expect(made).rejects.toThrow(/no working venv module: install Python 3\.10/);
    await expect(made).rejects.toMatchObject({
      name: 'MissingPrerequisite',
      cause: { message: expect.stringContaining('No module named ensurepip') },
    });
    await expect(environment()).rejects.toThrow('no working venv module');
  });

  it('is made once, and again when the requirements change', async () => {
    await installPython('python3', '3.10');
    const found = { python: inRoot('environment', 'bin', 'python'), ministackVersion: '1.5.33' };
    expect(await environment()).toEqual(found);
    expect(await environment()).toEqual(found);
    expect(said).toHaveLength(1);
    await writeFile(inRoot('requirements.txt'), `${requirements}six==1.0.0\n`);
    await environment();
    expect(said).toHaveLength(2);
    expect((await readFile(inRoot('log'), 'utf8')).match(/pip install/g)).toHaveLength(2);
  });

  it('says which requirement is not pinned', async () => {
    await installPython('python3', '3.10');
    await writeFile(inRoot('requirements.txt'), 'boto3==1.0.0\n');
    await expect(environment()).rejects.toThrow('do not pin ministack');
  });
});
