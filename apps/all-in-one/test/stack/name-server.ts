import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server on loopback that knows one name, as Docker's does: it has the address of every replica. */
export interface NameServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Changes the addresses (IPv4). Without any, the name does not exist. */
  set(addresses: readonly string[]): void;
}

const headerBytes = 12;
const typeA = 1;
/** A response that is authoritative for nothing and recursive, as from Docker (RFC 1035, 4.1.1). */
const responseFlags = 0x8180;
const noSuchName = 3;

/** Starts it on a free port. */
export async function startNameServer(name: string): Promise<NameServer> {
  let addresses: readonly string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const isKnown = questionOf(query).name === name;
    socket.send(responseTo(query, isKnown ? addresses : []), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set(next) {
      addresses = next;
    },
    [Symbol.asyncDispose]: async () => void socket.close(),
  };
}

interface Question {
  readonly name: string;
  readonly type: number;
  readonly end: number;
}

function questionOf(query: Buffer): Question {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function responseTo(query: Buffer, addresses: readonly string[]): Buffer {
  const { type, end } = questionOf(query);
  const answers = type === typeA ? addresses.map(recordOf) : [];
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(responseFlags | (addresses.length === 0 ? noSuchName : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...answers]);
}

/** An A record of the question's name, which stays valid for 600 s, as Docker's do. */
function recordOf(address: string): Buffer {
  const pointerToName = 0xc00c;
  const record = Buffer.alloc(16);
  record.writeUInt16BE(pointerToName, 0);
  record.writeUInt16BE(typeA, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(600, 6);
  record.writeUInt16BE(4, 10);
  Buffer.from(address.split('.').map(Number)).copy(record, 12);
  return record;
}
