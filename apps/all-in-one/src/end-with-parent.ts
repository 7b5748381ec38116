// Loaded into each process of `npm start` before its own code. When the parent is gone, the process ends as on SIGTERM.
// If that takes too long, it exits at once.
const graceMs = 10_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), graceMs).unref();
});
// A listener keeps the channel open and the process alive. The process itself should decide when it ends.
process.channel?.unref();
