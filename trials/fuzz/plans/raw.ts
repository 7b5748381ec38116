import { createConnection } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Answer, toAnswer } from '../client.ts';

/** Bytes for one connection. `<<name>>` in a text stands for what is known when it is sent. */
export interface RawCase {
  readonly what: string;
  /** Without `end` the connection is left half open until it has been answered. */
  readonly parts: readonly (string | Buffer)[];
  /** How the client leaves once it has sent all: it says so, vanishes, or waits for the answer. */
  readonly leaves: 'end' | 'vanish' | 'wait';
}

const send =
  'POST /v1/notify/sms/text HTTP/1.1\r\nHost: x\r\nX-Api-Key: <<my.apiKey>>\r\nContent-Type: application/json\r\n';
const look = 'GET /auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer <<my.token>>\r\n';
const body = '{"to":"+491701234567","text":"raw"}';
const sized = `Content-Length: ${body.length}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';

const of = (what: string, leaves: RawCase['leaves'], ...parts: readonly (string | Buffer)[]): RawCase => ({
  what,
  leaves,
  parts,
});

/** What reaches a server on a bad day, and what somebody sends to find a way between a proxy and us. */
export const rawCases: readonly RawCase[] = [
  of('a body cut off, then FIN', 'end', `${send}Content-Length: 500\r\n\r\n${body}`),
  of('a body cut off, then nothing', 'vanish', `${send}Content-Length: 500\r\n\r\n${body}`),
  of('a chunk cut off, then FIN', 'end', `${send}${chunked}\r\nff\r\n{"to"`),
  of('a chunk cut off, then nothing', 'vanish', `${send}${chunked}\r\nff\r\n{"to"`),
  of('headers cut off, then FIN', 'end', send),
  of('headers cut off, then nothing', 'vanish', 'GET /auth/me HT'),
  of('an answer nobody waits for', 'vanish', `${send}${sized}\r\n${body}`),
  of('a client that ends after its request', 'end', `${send}${sized}\r\n${body}`),
  of('nothing at all', 'end', ''),
  of('length and chunks', 'wait', `${send}${sized}${chunked}\r\n0\r\n\r\n`),
  of('chunks and length', 'wait', `${send}${chunked}${sized}\r\n23\r\n${body}\r\n0\r\n\r\n`),
  of('two lengths', 'wait', `${send}Content-Length: 5\r\n${sized}\r\n${body}`),
  of('the same length twice', 'wait', `${send}${sized}${sized}\r\n${body}`),
  of('a list of lengths', 'wait', `${send}Content-Length: ${body.length}, ${body.length}\r\n\r\n${body}`),
  of('a negative length', 'wait', `${send}Content-Length: -1\r\n\r\n${body}`),
  of('a length in another notation', 'wait', `${send}Content-Length: 0x23\r\n\r\n${body}`),
  of('a length beyond numbers', 'wait', `${send}Content-Length: ${'9'.repeat(40)}\r\n\r\n${body}`),
  of('a length of 100 GB', 'wait', `${send}Content-Length: 100000000000\r\n\r\n${body}`),
  of('an empty length', 'wait', `${send}Content-Length:\r\n\r\n`),
  of('chunks', 'wait', `${send}${chunked}\r\n23;x=y\r\n${body}\r\n0\r\n\r\n`),
  of(
    'chunks with a trailer',
    'wait',
    `${send}${chunked}Trailer: X-Api-Key\r\n\r\n23\r\n${body}\r\n0\r\nX-Api-Key: x\r\nContent-Length: 1\r\n\r\n`,
  ),
  of('a chunk that is no number', 'wait', `${send}${chunked}\r\nzz\r\n${body}\r\n0\r\n\r\n`),
  of('a chunk of a negative size', 'wait', `${send}${chunked}\r\n-1\r\n${body}\r\n0\r\n\r\n`),
  of('a chunk beyond numbers', 'wait', `${send}${chunked}\r\n${'f'.repeat(20)}\r\n${body}\r\n0\r\n\r\n`),
  of(
    'a chunk with a long extension',
    'wait',
    `${send}${chunked}\r\n23;${'x'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`,
  ),
  of(
    'chunks of a byte',
    'wait',
    `${send}${chunked}\r\n${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
  ),
  of('chunks that end in LF', 'wait', `${send}${chunked}\r\n23\n${body}\n0\n\n`),
  of('an unknown transfer coding', 'wait', `${send}Transfer-Encoding: gzip\r\n\r\n${body}`),
  of('chunked twice', 'wait', `${send}Transfer-Encoding: chunked, chunked\r\n\r\n23\r\n${body}\r\n0\r\n\r\n`),
  of(
    'chunked not last',
    'wait',
    `${send}Transfer-Encoding: chunked, identity\r\n\r\n23\r\n${body}\r\n0\r\n\r\n`,
  ),
  of('xchunked', 'wait', `${send}Transfer-Encoding: xchunked\r\n\r\n23\r\n${body}\r\n0\r\n\r\n`),
  of(
    'a tab before the coding',
    'wait',
    `${send}Transfer-Encoding:\tchunked\r\n\r\n23\r\n${body}\r\n0\r\n\r\n`,
  ),
  of('a space before the colon', 'wait', `${send}Transfer-Encoding : chunked\r\n${sized}\r\n${body}`),
  of('LF for CRLF', 'wait', `${send.replaceAll('\r\n', '\n')}${sized.replace('\r', '')}\n${body}`),
  of('a lone CR', 'wait', `${send}X: a\rb\r\n${sized}\r\n${body}`),
  of('a folded header', 'wait', `${send}X: a\r\n b\r\n${sized}\r\n${body}`),
  of('a header with no colon', 'wait', `${send}nothing\r\n${sized}\r\n${body}`),
  of('a header with no name', 'wait', `${send}: x\r\n${sized}\r\n${body}`),
  of('NUL in a header', 'wait', `${send}X: a\u0000b\r\n${sized}\r\n${body}`),
  of('control characters in a header', 'wait', `${send}X: \u0001\u007f\r\n${sized}\r\n${body}`),
  of('a header of 20 KB', 'wait', `${look}X: ${'x'.repeat(20_000)}\r\n\r\n`),
  of('a header of 300 KB', 'wait', `${look}X: ${'x'.repeat(300_000)}\r\n\r\n`),
  of('3,000 headers', 'wait', `${look}${Array.from({ length: 3_000 }, () => 'a:b\r\n').join('')}\r\n`),
  of('a URL of 30 KB', 'wait', `GET /${'x'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
  of(
    'a URL of 8 KB',
    'wait',
    `GET /v1/notify/messages/${'%61'.repeat(2_700)} HTTP/1.1\r\nHost: x\r\nX-Api-Key: <<my.apiKey>>\r\n\r\n`,
  ),
  of('no host', 'wait', 'GET /auth/me HTTP/1.1\r\n\r\n'),
  of('an empty host', 'wait', 'GET /auth/me HTTP/1.1\r\nHost:\r\n\r\n'),
  of('two hosts', 'wait', `${look}Host: y\r\n\r\n`),
  of('another host in the line', 'wait', 'GET http://evil.example/auth/me HTTP/1.1\r\nHost: x\r\n\r\n'),
  of('a line that is only a host', 'wait', 'GET evil.example HTTP/1.1\r\nHost: x\r\n\r\n'),
  of('CONNECT', 'wait', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'),
  of('OPTIONS *', 'wait', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'),
  of('HTTP/1.0', 'wait', 'GET /auth/me HTTP/1.0\r\n\r\n'),
  of('HTTP/1.0 that stays', 'end', 'GET /auth/me HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'),
  of('HTTP/0.9', 'end', 'GET /auth/me\r\n\r\n'),
  of('HTTP/2', 'wait', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  of('HTTP/3.7', 'wait', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n'),
  of('no version', 'wait', 'GET / HTTP/\r\nHost: x\r\n\r\n'),
  of('an unknown method', 'wait', 'NOTIFY2 / HTTP/1.1\r\nHost: x\r\n\r\n'),
  of('a method in small letters', 'wait', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'),
  of('a space in the path', 'wait', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'),
  of(
    'bytes above 127 in the path',
    'wait',
    Buffer.from('GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
  ),
  of('NUL in the path', 'wait', 'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n'),
  of('a fragment in the path', 'wait', 'GET /auth/me#x HTTP/1.1\r\nHost: x\r\n\r\n'),
  of('a body with GET', 'wait', `${look}Content-Type: application/json\r\n${sized}\r\n${body}`),
  of('requests one behind the other', 'end', `${look}\r\n`.repeat(10)),
  of('a request behind a bad one', 'wait', `${send}Content-Length: 2\r\n\r\n{]${look}\r\n`),
  of('blank lines first', 'wait', `\r\n\r\n\r\n${look}\r\n`),
  of('Expect: 100-continue and no body', 'end', `${send}Expect: 100-continue\r\n${sized}\r\n`),
  of('Expect: 100-continue', 'wait', `${send}Expect: 100-continue\r\n${sized}\r\n`, body),
  of('Expect: the unexpected', 'wait', `${send}Expect: miracles\r\n${sized}\r\n${body}`),
  of(
    'an upgrade to a websocket',
    'wait',
    `${look}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  ),
  of(
    'an upgrade to HTTP/2',
    'wait',
    `${look}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
  ),
  of('TLS', 'wait', Buffer.from('16030100c8010000c40303', 'hex')),
  of('noise', 'end', Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 7_919) % 256))),
  of('two keys', 'wait', `${send}X-Api-Key: x\r\n${sized}\r\n${body}`),
  of('two types', 'wait', `${send}Content-Type: text/plain\r\n${sized}\r\n${body}`),
  of('two tokens', 'wait', `${look}Authorization: Bearer x\r\n\r\n`),
  of('a proto for a header', 'wait', `${look}__proto__: x\r\nconstructor: x\r\n\r\n`),
  of(
    'a bomb of gzip',
    'wait',
    `${send}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ...chunkOf(gzipSync(Buffer.alloc(20_000_000))),
  ),
  of('a body with a request in it', 'wait', `${send}Content-Length: 0\r\n\r\n${look}\r\n`),
];

function chunkOf(bytes: Buffer): readonly (string | Buffer)[] {
  return [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n0\r\n\r\n'];
}

/** A connection on which nothing comes any more has said what it had to say. */
const quietMs = 250;
const hangMs = 20_000;

/**
 * Sends the parts on its own connection; the answers that came on it. Resolves when the service closes it, or, where
 * the client waits, when all is quiet after an answer. `hung` when nothing came at all.
 */
export function sendRaw(
  url: URL,
  parts: readonly Buffer[],
  leaves: RawCase['leaves'],
): Promise<{ readonly answers: readonly Answer[]; readonly hung: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = createConnection({ host: url.hostname, port: Number(url.port), allowHalfOpen: true });
    let quiet: NodeJS.Timeout | undefined;
    const done = (hung: boolean): void => {
      clearTimeout(quiet);
      clearTimeout(hang);
      socket.destroy();
      resolve({ answers: answersIn(Buffer.concat(chunks)), hung });
    };
    const hang = setTimeout(() => done(true), hangMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      if (leaves !== 'end') quiet = setTimeout(() => done(false), quietMs);
    });
    socket.on('error', () => done(false));
    socket.on('end', () => done(false));
    socket.on('close', () => done(false));
    for (const part of parts) socket.write(part);
    if (leaves === 'end') socket.end();
    if (leaves === 'vanish') setTimeout(() => done(false), 5);
  });
}

/** The answers in what came on a connection. */
function answersIn(bytes: Buffer): Answer[] {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((text) => [
      text.slice(0, text.indexOf(':')).toLowerCase(),
      text.slice(text.indexOf(':') + 1).trim(),
    ]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const status = Number(line.split(' ')[1]);
  const rest = bytes.subarray(end + 4 + length);
  if (status < 200) return answersIn(rest);
  return [toAnswer(status, headers, bytes.subarray(end + 4, end + 4 + length)), ...answersIn(rest)];
}
