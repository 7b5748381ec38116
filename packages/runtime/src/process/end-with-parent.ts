// `endWithParent` in start-process.ts says what this promises.
const graceMs = 10_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), graceMs).unref();
});
// A listener keeps the channel open and the process alive. The process itself should decide when it ends.
process.channel?.unref();
