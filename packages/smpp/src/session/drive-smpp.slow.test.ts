import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { findProgram, freePort, testWith, until } from '@notify/testkit';
import {
  type Bind,
  type BindMode,
  type BindOptions,
  openBind,
  readMessage,
  smppAddress,
  submitPart,
  systemClock,
  textParts,
} from '../index.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Debian's SMSC for the tests of Kannel. It sends messages to a receiver, and takes those of a transmitter. */
async function startDriveSmpp(messages: number): Promise<number> {
  const port = await freePort();
  const child = spawn(findProgram('drive_smpp')!, ['-v', '4', '-p', String(port), '-m', String(messages)], {
    stdio: 'ignore',
  });
  closers.push(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return port;
}

function optionsFor(mode: BindMode, port: number, texts: (string | null)[]): BindOptions {
  return {
    mode,
    systemId: 'foo',
    password: 'bar',
    systemType: 'VMA',
    window: 10,
    answerWithinMs: 60_000,
    enquireEveryMs: 60_000,
    deliveriesAtOnce: 1,
    deliveriesWaiting: 100,
    async connect() {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
    onDelivery: async (delivery) => void texts.push(readMessage(delivery, 'gsm-03.38').text),
    clock: systemClock,
  };
}

/** It listens some time after it was started. */
async function bound(options: BindOptions): Promise<Bind> {
  const binds: Bind[] = [];
  await until(async () => {
    const result = await openBind(options);
    if (result.kind === 'bound') binds.push(result.bind);
    return result.kind === 'bound';
  });
  return binds[0]!;
}

testWith('drive_smpp')('it takes our messages, and we take its', async () => {
  const port = await startDriveSmpp(20);
  const texts: (string | null)[] = [];
  const transmitter = await bound(optionsFor('transmitter', port, texts));
  const receiver = await bound(optionsFor('receiver', port, texts));
  await until(async () => texts.length > 0);
  expect(texts[0]).toEqual(expect.any(String));
  const envelope = {
    from: smppAddress('123'),
    to: smppAddress('+456'),
    lifetimeMs: 60_000,
    wantsReceipt: false,
  };
  const writing = { alphabet: 'gsm-03.38', longTexts: 'udh' } as const;
  const parts = ['Hello', 'жук'].flatMap((text) => textParts(text, writing, 1));
  const results = await Promise.all(parts.map((part) => transmitter.submit(submitPart(envelope, part))));
  // Its ids are empty.
  expect(results).toEqual(parts.map(() => ({ kind: 'answered', status: 0, messageId: null })));
  await Promise.all([transmitter.close(), receiver.close()]);
});
