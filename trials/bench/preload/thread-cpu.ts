import { createServer } from 'node:http';

/*
 * A module for `node --import`: answers on THREAD_CPU_PORT how much CPU the main thread has taken, in ms. That is what the
 * event loop was busy with, whatever else the machine does.
 */
const server = createServer((_, response) => {
  const { user, system } = process.threadCpuUsage();
  response.end(String((user + system) / 1_000));
});
server.listen(Number(process.env['THREAD_CPU_PORT']), '127.0.0.1').unref();
