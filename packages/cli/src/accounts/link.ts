import { ConnectionError, type Notify } from '@notify/sdk';
import { renderUnicodeCompact } from 'uqr';
import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { given } from '../given.ts';
import { text } from '../options.ts';
import type { Output } from '../output/output.ts';
import { plain } from '../output/plain.ts';

type Link = Awaited<ReturnType<Notify['channelAccounts']['getLink']>>;

export const linkAccount = defineCommand({
  name: 'accounts link',
  summary: 'Link a phone to a whatsapp-web account, by QR code or by a code to enter.',
  details:
    'Shows the QR code and each one after it until the phone has scanned it. Anyone who scans it links their phone.\n\nThe scope is accounts:link. With --json each step is a line.',
  arguments: { id: idArgument(kinds.account) },
  options: { phone: text('<number>', 'Show a code to enter on this phone instead of a QR code.') },
  examples: [
    { does: 'Link by QR code', line: 'accounts link 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b' },
    { does: 'Link by a code', line: 'accounts link 0190a1b2-… --phone +14155550123' },
  ],
  async run({ client, output, signal }, { id, phone }) {
    const notify = await client();
    await notify.channelAccounts.link(id, given({ phone }), { signal });
    for await (const link of steps(notify, id, signal)) {
      output.item(link, () => linesOf(link, output));
      const ending = endingOf(link);
      if (ending !== null) return ending;
    }
    return exitCodes.failed;
  },
});

/** Every step until the caller has seen enough. A stream that is cut is opened again. */
async function* steps(
  notify: Notify,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Link, void, undefined> {
  while (!signal.aborted) {
    try {
      yield* notify.channelAccounts.watchLink(id, { signal });
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}

/** The exit code once linking has ended. A step from before this linking does not end it. */
function endingOf({ step, wanted }: Link): ExitCode | null {
  if (wanted !== null) return null;
  if (step === 'connected') return exitCodes.done;
  return step === 'failed' ? exitCodes.failed : null;
}

function linesOf({ step, qr, code, phone, reason }: Link, { style }: Output): string[] {
  switch (step) {
    case 'display-qr':
      return [
        'Scan this with WhatsApp: Settings, Linked devices, Link a device.',
        '',
        renderUnicodeCompact(qr ?? ''),
      ];
    case 'display-code':
      return [`Enter this code on the phone: ${style.bold(plain(code ?? ''))}`];
    case 'connected':
      return [`${style.green('Linked')} ${plain(phone ?? '')}`.trimEnd()];
    case 'failed':
      return [`${style.red('Not linked:')} ${plain(reason ?? '')}`];
    case 'idle':
      return [];
  }
}
