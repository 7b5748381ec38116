import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@notify/embedded';
import { endWithUs } from '../processes/end-with-us.ts';
import { forwardingService, type KannelInbound, silentService, writeByFakesmsc } from './kannel-inbound.ts';
import { demandProgram } from './programs.ts';

/** An SMS as Kannel's SMS centre received it: one for each segment. */
export interface ReceivedSms {
  readonly from: string;
  readonly to: string;
  /** Without line ends: fakesmsc prints lines, so a text of several lines ends with its first. */
  readonly text: string;
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Part and parts, if the SMS is one segment of a longer text. */
  readonly segment: readonly [part: number, parts: number] | null;
}

/** A Kannel of our own: HTTP side (smsbox), gateway (bearerbox) and an SMS centre that takes everything (fakesmsc). */
export interface RunningKannel extends AsyncDisposable {
  readonly sendsmsUrl: string;
  readonly username: string;
  readonly password: string;
  /** Its three processes. */
  readonly pids: readonly number[];
  received(): readonly ReceivedSms[];
  /** Resolves as soon as the SMS centre has received `count` SMS. */
  whenReceived(count: number): Promise<readonly ReceivedSms[]>;
  /** Has Kannel forward incoming SMS to an address, by its `get-url` or its `post-url`. Restarts smsbox. */
  forwardTo(url: string, method?: 'get' | 'post'): Promise<void>;
  /** People write, one after the other. */
  write(...messages: readonly KannelInbound[]): Promise<void>;
  stop(): Promise<void>;
}

/** The programs that `startKannel` starts. */
export const kannelPrograms = ['bearerbox', 'smsbox', 'fakesmsc'] as const;

export interface KannelOptions {
  /** All three processes write nothing, which saves time but leaves `received` empty. Default false. */
  readonly silent?: boolean;
  /**
   * Postgres for the state of delivery reports; create `kannelReportTable` there first. With it, accepted messages are
   * kept in files as well (`store-type = spool`), so both survive a crash. Default: Kannel keeps everything in memory.
   */
  readonly keepIn?: URL;
}

/** Creates the table that Kannel's `dlr-storage = pgsql` writes to, with an index for its look-ups. */
export const kannelReportTable = `
  create table kannel_dlr (
    smsc text, ts text, source text, destination text, service text, url text, mask int, status int, boxc text
  );
  create index on kannel_dlr (smsc, ts);`;

/** Starts all three processes on free ports and resolves when a message would go through. */
export async function startKannel({ silent = false, keepIn }: KannelOptions = {}): Promise<RunningKannel> {
  const ports = await takePorts();
  const dir = await mkdtemp(path.join(tmpdir(), 'notify-kannel-'));
  const config = path.join(dir, 'kannel.conf');
  if (keepIn !== undefined) await mkdir(path.join(dir, 'spool'));
  const storage = keepIn === undefined ? inMemory : kept(dir, keepIn);
  const configure = (service: string) => writeFile(config, configuration(ports, storage, service));
  await configure(silentService);
  const centre = new SmsCentre();
  const quiet = silent ? ['-v', '4'] : [];
  const processes: ChildProcess[] = [];
  const start = (program: (typeof kannelPrograms)[number], args: readonly string[]) => {
    const child = spawn(demandProgram(program), args, {
      cwd: dir,
      stdio: ['ignore', 'ignore', silent ? 'ignore' : 'pipe'],
    });
    endWithUs(child);
    processes.push(child);
    return child;
  };
  const startSmsbox = async (): Promise<ChildProcess> => {
    const child = start('smsbox', [...quiet, config]);
    child.stderr?.resume();
    await until(() => isReady(ports));
    return child;
  };
  let box: ChildProcess;
  const stop = async () => {
    await Promise.all(processes.toReversed().map(end));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    start('bearerbox', [...quiet, config]).stderr?.resume();
    await until(() => statusOf(ports.admin).then((status) => status.includes('Status: running')));
    const fake = start('fakesmsc', [...quiet, '-r', String(ports.smsc), '-m', '0', '1 2 text unused']);
    if (!silent) centre.read(fake);
    box = await startSmsbox();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    sendsmsUrl: `http://127.0.0.1:${ports.sendsms}/cgi-bin/sendsms`,
    username: 'tester',
    password: 'foobar',
    get pids() {
      return processes.filter(isRunning).map((child) => child.pid!);
    },
    received: () => centre.received,
    whenReceived: (count) => centre.whenReceived(count),
    async forwardTo(url, method = 'get') {
      await end(box);
      await configure(forwardingService(url, method));
      box = await startSmsbox();
    },
    write: (...messages) => writeByFakesmsc(ports.writers, messages),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

type Ports = Readonly<Record<'admin' | 'box' | 'smsc' | 'writers' | 'sendsms', number>>;

async function takePorts(): Promise<Ports> {
  return {
    admin: await freePort(),
    box: await freePort(),
    smsc: await freePort(),
    writers: await freePort(),
    sendsms: await freePort(),
  };
}

/** Settings of the core group that decide what survives a crash, and further groups. */
interface Storage {
  readonly core: string;
  readonly groups: string;
}

const inMemory: Storage = { core: 'dlr-storage = internal', groups: '' };

/** Kannel's user guide, "Message storage" and "DLR storage: pgsql". */
function kept(dir: string, url: URL): Storage {
  return {
    core: `store-type = spool
store-location = ${dir}/spool
dlr-storage = pgsql`,
    groups: `
group = pgsql-connection
id = dlrs
host = ${url.hostname}
port = ${url.port}
username = ${decodeURIComponent(url.username)}
password = ${decodeURIComponent(url.password)}
database = ${url.pathname.slice(1)}
max-connections = 4

group = dlr-db
id = dlrs
table = kannel_dlr
field-smsc = smsc
field-timestamp = ts
field-source = source
field-destination = destination
field-service = service
field-url = url
field-mask = mask
field-status = status
field-boxc-id = boxc
`,
  };
}

function configuration(
  { admin, box, smsc, writers, sendsms }: Ports,
  storage: Storage,
  service: string,
): string {
  return `
group = core
admin-port = ${admin}
admin-password = admin
smsbox-port = ${box}
box-allow-ip = "127.0.0.1"
admin-allow-ip = "127.0.0.1"
${storage.core}
sms-incoming-queue-limit = -1
${storage.groups}
group = smsc
smsc = fake
smsc-id = fake
host = 127.0.0.1
port = ${smsc}
connect-allow-ip = 127.0.0.1

group = smsc
smsc = fake
smsc-id = writers
host = 127.0.0.1
port = ${writers}
connect-allow-ip = 127.0.0.1
allowed-smsc-id = writers

group = smsbox
bearerbox-host = 127.0.0.1
smsbox-id = box1
sendsms-port = ${sendsms}
global-sender = 13013

group = smsbox-route
smsbox-id = box1
smsc-id = "writers"

group = sendsms-user
username = tester
password = foobar
max-messages = 10
concatenation = true

${service}`;
}

/** Reads what fakesmsc prints: a line for each SMS, such as `Got message 1: <from to text hello>`. */
class SmsCentre {
  readonly received: ReceivedSms[] = [];
  private readonly events = new EventEmitter();

  read(process: ChildProcess): void {
    if (process.stderr === null) throw new Error('fakesmsc has no output');
    createInterface({ input: process.stderr }).on('line', (line) => {
      const sms = parseLine(line);
      if (sms === null) return;
      this.received.push(sms);
      this.events.emit('received');
    });
  }

  async whenReceived(count: number): Promise<readonly ReceivedSms[]> {
    while (this.received.length < count) await once(this.events, 'received');
    return this.received;
  }
}

function parseLine(line: string): ReceivedSms | null {
  const [, from = '', to = '', kind = '', rest = ''] =
    /Got message \d+: <(\S+) (\S+) (\S+) (.*)>$/.exec(line) ?? [];
  switch (kind) {
    case 'text':
      return { from, to, text: rest, encoding: 'GSM-7', segment: null };
    case 'ucs-2':
      return { from, to, text: bytesOf(rest).swap16().toString('utf16le'), encoding: 'UCS-2', segment: null };
    case 'udh':
      return { from, to, ...parseSegment(rest) };
    default:
      return null;
  }
}

/** `%05%00%03%02%02%01 data …`: the concatenation header of 3GPP TS 23.040 ends with parts and part. */
function parseSegment(rest: string): Pick<ReceivedSms, 'text' | 'encoding' | 'segment'> {
  const [, header = '', kind, text = ''] = /^(\S+) (\S+) (.*)$/.exec(rest) ?? [];
  const [parts = 0, part = 0] = bytesOf(header).subarray(4);
  const segment = [part, parts] as const;
  if (kind !== 'ucs-2') return { text: bytesOf(text).toString(), encoding: 'GSM-7', segment };
  return { text: bytesOf(text).swap16().toString('utf16le'), encoding: 'UCS-2', segment };
}

/** fakesmsc writes bytes as in a query: a plus for a space, and `%` with two digits for special bytes. */
function bytesOf(encoded: string): Buffer {
  const latin1 = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}

/**
 * Whether the SMS centre and smsbox are online and smsbox listens, which refuses a request without a recipient with
 * 400.
 */
async function isReady({ admin, sendsms }: Ports): Promise<boolean> {
  const status = await statusOf(admin);
  if (!/^ *fake\b.*FAKE:\d+ \(online/m.test(status) || !status.includes('smsbox:box1')) return false;
  const query = new URLSearchParams({ username: 'tester', password: 'foobar' });
  const answer = await fetch(`http://127.0.0.1:${sendsms}/cgi-bin/sendsms?${query.toString()}`);
  return answer.status === 400;
}

async function statusOf(adminPort: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/status.txt?password=admin`);
  return answer.text();
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    if (await condition().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Kannel did not get ready');
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const kill = setTimeout(() => child.kill('SIGKILL'), 5_000);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(kill);
}
