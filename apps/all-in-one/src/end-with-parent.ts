// Loaded into each process of `npm start` before its own code: when the one who started it is gone, it ends in good
// order, as on SIGTERM, and if that takes too long, at once.
const graceMs = 10_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), graceMs).unref();
});
// A listener keeps the channel, and so the process, alive; the process itself decides how long it lives.
process.channel?.unref();
