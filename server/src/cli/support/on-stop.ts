/** Reacts to what stops a command that otherwise runs forever. */

/**
 * Calls `stop` with the cause at each signal to stop, and when the launcher that started us has died. All calls after
 * the first must do nothing: npm, the shell and the launcher may each forward the same signal.
 */
export function onStop(stop: (cause: string) => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => stop(signal));
  process.once('disconnect', () => stop('disconnect'));
  process.channel?.unref();
}
