import { once } from 'node:events';
import { createServer } from 'node:net';
import { processNames } from '@notify/core';
import { freePort } from '@notify/embedded';
import { claimHealthPorts } from './health-ports.ts';

const publicPort = 3000;

const after = processNames.length - 1;

/** The first of as many ports as there are processes. Something listens on the last while `work` runs. */
async function whileLastIsTaken(work: (first: number) => Promise<void>): Promise<void> {
  const last = await freePort();
  const other = createServer().listen(last, '127.0.0.1');
  await once(other, 'listening');
  await work(last - after);
  other.close();
}

test('HEALTH_PORT and the ports after it, in the order of the documentation', async () => {
  const first = await freePort();
  const { host, ports } = await claimHealthPorts({ healthHost: null, healthPort: first }, publicPort);
  expect(host).toBe('127.0.0.1');
  expect(Object.entries(ports)).toEqual(processNames.map((name, index) => [name, first + index]));
});

test.each([null, 0])('with %s, each has a free port of its own', async (healthPort) => {
  const { host, ports } = await claimHealthPorts({ healthHost: '::1', healthPort }, publicPort);
  expect(host).toBe('::1');
  expect(new Set(Object.values(ports)).size).toBe(processNames.length);
});

test('a port in use is named with the setting that changes it', () =>
  whileLastIsTaken(async (first) => {
    await expect(claimHealthPorts({ healthHost: null, healthPort: first }, publicPort)).rejects.toThrow(
      `port ${first + after} is in use: stop the process that uses it, or set HEALTH_PORT`,
    );
  }));

test('an address that is not of this machine is named with both settings', async () => {
  await expect(claimHealthPorts({ healthHost: '192.0.2.1', healthPort: 21_000 }, publicPort)).rejects.toThrow(
    /^cannot listen on 192\.0\.2\.1, port 2100\d \(EADDRNOTAVAIL\): set HEALTH_HOST or HEALTH_PORT$/,
  );
});

test('the public port is none of them', async () => {
  await expect(claimHealthPorts({ healthHost: null, healthPort: 2_998 }, publicPort)).rejects.toThrow(
    'port 3000 cannot serve both PORT and HEALTH_PORT: change one of them',
  );
});

test('the ports of all processes have to fit', async () => {
  await expect(
    claimHealthPorts({ healthHost: null, healthPort: 65_536 - after }, publicPort),
  ).rejects.toThrow(
    `HEALTH_PORT: at most ${65_535 - after} here, because the other processes use the ports after it`,
  );
});
