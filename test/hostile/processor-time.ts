/**
 * The processor time that this process has used, in milliseconds. On a busy machine the clock of the wall runs
 * on while a process waits for its turn; this one stands still.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
