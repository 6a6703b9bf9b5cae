import { startDynamoDB, startLocalApp, startSqsEmulator } from 'sagabox/local';

const commands = [
  [startDynamoDB, 'npm install --save-dev @dynoxide/'],
  [startSqsEmulator, 'npm install --save-dev fauxqs'],
  [() => startLocalApp({ assemblyDirectory: 'cdk.out' }), 'npm install aws-cdk-lib'],
];
for (const [start, command] of commands) {
  const refusal = await start().catch((error) => error);
  if (refusal.code !== 'Configuration' || !refusal.message.includes(command)) throw refusal;
}
