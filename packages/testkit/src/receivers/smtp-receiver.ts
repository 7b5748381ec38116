import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail as it arrived. */
export interface ReceivedMail {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The text, decoded. */
  readonly text: string;
  /** Head and body as they came. */
  readonly raw: string;
}

/** How the server behaves. Replies are whole lines, such as `550 5.1.1 No such user`. */
export interface SmtpBehaviour {
  /** Never greets. */
  readonly mute?: boolean;
  readonly rcpt?: string;
  readonly data?: string;
  /** Wait before every reply, in ms. */
  readonly delayMs?: number;
}

/** A mail server that takes every mail, and behaves as told (RFC 5321). It relays nothing. */
export interface SmtpReceiver extends AsyncDisposable {
  /** `smtp://127.0.0.1:<port>`. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Connections ever accepted. */
  readonly connections: number;
  /** User and password of each login, as `user:password`. */
  readonly logins: readonly string[];
  /** Sets the behaviour from the next command on. */
  behave(behaviour: SmtpBehaviour): void;
  /** The first mail to this address that no earlier call returned. Waits for one if necessary. */
  next(to: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

interface Waiting {
  readonly to: string;
  readonly resolve: (mail: ReceivedMail) => void;
}

/** Starts a mail server on loopback. */
export async function startSmtpReceiver(port = 0): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  const fresh: ReceivedMail[] = [];
  const logins: string[] = [];
  const waiting = new Set<Waiting>();
  const sockets = new Set<Socket>();
  let behaviour: SmtpBehaviour = {};
  let connections = 0;

  function take(mail: ReceivedMail): void {
    mails.push(mail);
    const waiter = [...waiting].find(({ to }) => mail.to.includes(to));
    if (waiter === undefined) return void fresh.push(mail);
    waiting.delete(waiter);
    waiter.resolve(mail);
  }

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    converse(socket, { behaviour: () => behaviour, take, login: (login) => logins.push(login) });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }

  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    logins,
    get connections() {
      return connections;
    },
    behave(wanted) {
      behaviour = wanted;
    },
    next(to) {
      const at = fresh.findIndex((mail) => mail.to.includes(to));
      const [mail] = at === -1 ? [] : fresh.splice(at, 1);
      if (mail !== undefined) return Promise.resolve(mail);
      return new Promise((resolve) => waiting.add({ to, resolve }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Conversation {
  readonly behaviour: () => SmtpBehaviour;
  readonly take: (mail: ReceivedMail) => void;
  readonly login: (login: string) => void;
}

/** One connection: commands line by line, and after DATA the lines up to a single dot. */
function converse(socket: Socket, { behaviour, take, login }: Conversation): void {
  let rest = '';
  let from = '';
  let to: string[] = [];
  let lines: string[] | null = null;
  const reply = (text: string): void => {
    const { delayMs = 0 } = behaviour();
    setTimeout(() => socket.writable && socket.write(`${text}\r\n`), delayMs).unref();
  };

  function command(line: string): void {
    const [verb = ''] = line.toUpperCase().split(/[ :]/);
    const { rcpt = '250 OK', data = '354 Go ahead' } = behaviour();
    switch (verb) {
      case 'EHLO':
        return reply('250-receiver\r\n250 AUTH PLAIN');
      case 'AUTH':
        login(
          Buffer.from(line.split(' ')[2] ?? '', 'base64')
            .toString()
            .split('\0')
            .slice(1)
            .join(':'),
        );
        return reply('235 Welcome');
      case 'MAIL':
        [from, to] = [addressIn(line), []];
        return reply('250 OK');
      case 'RCPT':
        if (rcpt.startsWith('2')) to.push(addressIn(line));
        return reply(rcpt);
      case 'DATA':
        if (data.startsWith('3')) lines = [];
        return reply(data);
      case 'QUIT':
        reply('221 Bye');
        return void setTimeout(() => socket.end(), behaviour().delayMs ?? 0).unref();
      default:
        return reply('250 OK');
    }
  }

  function dataLine(line: string, message: string[]): void {
    // A dot in front of a line was added for the transport (RFC 5321, 4.5.2).
    if (line !== '.') return void message.push(line.startsWith('.') ? line.slice(1) : line);
    lines = null;
    take(toMail(from, to, message.join('\r\n')));
    reply('250 Taken');
  }

  if (behaviour().mute !== true) reply('220 receiver ESMTP');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const all = (rest + chunk).split('\r\n');
    rest = all.pop() ?? '';
    for (const line of all) {
      if (lines === null) command(line);
      else dataLine(line, lines);
    }
  });
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

function toMail(from: string, to: readonly string[], raw: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n');
  const [head, body] = [raw.slice(0, end), raw.slice(end + 4)];
  const field = (name: string): string =>
    new RegExp(`^${name}: *(.*)$`, 'im').exec(head.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim() ?? '';
  return {
    from,
    to,
    subject: field('subject'),
    text: decoded(body, field('content-transfer-encoding')),
    raw,
  };
}

/** The text of a body in its transfer encoding (RFC 2045, 6). */
function decoded(body: string, encoding: string): string {
  switch (encoding.toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString();
    case 'quoted-printable': {
      const joined = body.replaceAll('=\r\n', '');
      const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(parseInt(hex, 16)),
      );
      return Buffer.from(bytes, 'latin1').toString();
    }
    default:
      return body;
  }
}
