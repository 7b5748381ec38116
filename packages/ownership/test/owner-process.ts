import { adapters } from '@notify/channels';
import { laneAccounts } from '@notify/db/ownership';
import { createLog, loadProcessSettings, onShutdown, shutdownMs, startProcess } from '@notify/runtime';
import { KeptConnection } from '../src/kept-connection.ts';
import { startOwner } from '../src/start-owner.ts';
import { holdLine, type Lines } from './line.ts';

/*
 * A process that holds lines to the exchange at the port of its argument, for accounts of the provider `sandbox` in the
 * lane of linked devices.
 */
const lane = 'whatsapp-web';
const port = Number(process.argv[2]);
const print = (...words: readonly string[]): void => console.log(words.join(' '));

await startProcess('whatsapp-sessions', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'whatsapp-sessions');
  const lines: Lines = new Map();
  const owner = await startOwner<KeptConnection>({
    lane,
    settings,
    log,
    version: '1.2.3',
    partitionsSetting: 'WHATSAPP_PARTITIONS',
    measures: { showHeld: () => () => undefined, countTaken: (from) => print('partition', from) },
    notChecked: 'connection-not-checked',
    accounts: laneAccounts(lane),
    open: (parts) => ({
      create: (accountId, lease) =>
        new KeptConnection(accountId, lease, {
          ...parts,
          onLost: parts.lose,
          hold: (hold) => holdLine(hold, port, lines, (result) => print('late write', result)),
          onConnected: parts.wake,
        }),
      adapterOf: ({ accountId }) => ({
        ...adapters.get('sandbox')!,
        async send({ messageId }) {
          const isTaken = (await lines.get(accountId)?.send(messageId)) ?? false;
          return isTaken
            ? { kind: 'accepted', externalId: messageId }
            : { kind: 'retry', errorCode: 'provider-unreachable', text: 'The line is closed.' };
        },
      }),
    }),
  });
  onShutdown(log, shutdownMs, () => owner.close());
});
