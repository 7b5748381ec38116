import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where a connection ends: after this many bytes of a request, or of its response. */
export interface Cut {
  readonly side: 'request' | 'response';
  readonly offset: number;
  /** By a reset, or by the end of both directions as a proxy does that stops. */
  readonly reset: boolean;
}

/** What a try was let through, in bytes. */
export interface Carried {
  readonly request: number;
  readonly response: number;
  readonly wasCut: boolean;
}

export interface CuttingProxy {
  readonly url: string;
  /** The tries so far. */
  readonly carried: readonly Carried[];
  /**
   * Every try from now on, on a new connection or one that is kept alive, is cut where the function says; null lets it
   * through. To be called between requests.
   */
  cutAt(next: () => Cut | null): void;
  close(): Promise<void>;
}

/** A TCP proxy before the service at this address. It looks at no byte, it only counts them. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const carried: Carried[] = [];
  const open = new Set<Socket>();
  let next: () => Cut | null = () => null;
  let round = 0;

  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) {
      open.add(socket);
      // Resets are what this proxy is for.
      socket.on('error', () => {}).on('close', () => open.delete(socket));
      socket.setNoDelay(true);
    }
    let count = { request: 0, response: 0, wasCut: false };
    let cut: Cut | null = null;
    let ownRound = -1;

    const begin = (): void => {
      ownRound = round;
      cut = next();
      count = { request: 0, response: 0, wasCut: false };
      carried.push(count);
    };
    const end = (): void => {
      if (count.wasCut) return;
      count.wasCut = true;
      for (const socket of [client, service])
        if (cut?.reset === true) socket.resetAndDestroy();
        else socket.end(() => socket.destroy());
    };
    const carry = (from: Socket, to: Socket, side: Cut['side'], bytes: Buffer): void => {
      if (count.wasCut) return;
      const isHere = cut?.side === side;
      const passing = isHere ? bytes.subarray(0, cut!.offset - count[side]) : bytes;
      count[side] += passing.length;
      const isOver = isHere && count[side] === cut!.offset;
      if (isOver) from.pause();
      // Bytes that were passed on arrive before the end: a reset at once would take them back.
      if (passing.length > 0) to.write(passing, () => isOver && end());
      else if (isOver) end();
    };
    client.on('data', (bytes: Buffer) => {
      if (ownRound !== round) begin();
      carry(client, service, 'request', bytes);
    });
    service.on('data', (bytes: Buffer) => carry(service, client, 'response', bytes));
    client.on('end', () => service.end()).on('close', () => service.destroy());
    service.on('end', () => client.end()).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    carried,
    cutAt(cuts) {
      next = cuts;
      round += 1;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
