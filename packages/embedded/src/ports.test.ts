import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { claimPort, freePort } from './ports.ts';

const module = new URL('ports.ts', import.meta.url).href;

/** Another process that takes `count` ports and holds them until it ends. */
async function holder(count: number): Promise<AsyncDisposable & { readonly ports: readonly number[] }> {
  const take = `const { freePort } = await import(process.argv[1]);
    const ports = await Promise.all(Array.from({ length: ${count} }, () => freePort()));
    console.log(JSON.stringify(ports));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', take, module], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    ports: JSON.parse(line) as number[],
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

test('each port is given once only, across this process, another process and the system', async () => {
  await using other = await holder(250);
  const ports = await Promise.all(Array.from({ length: 250 }, () => freePort()));
  const all = [...ports, ...other.ports];
  expect(new Set(all).size).toBe(500);
  expect(Math.max(...all)).toBeLessThan(32_768);
});

test('the error names the number of a port in use, and the name of a foreign address', async () => {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(claimPort('127.0.0.1', port)).rejects.toThrow(`port ${port} is in use`);
  server.close();
  await once(server, 'close');
  expect(await claimPort('127.0.0.1', port)).toBe(port);
  await expect(claimPort('192.0.2.1', 0)).rejects.toThrow('cannot listen on 192.0.2.1, port 0');
});
