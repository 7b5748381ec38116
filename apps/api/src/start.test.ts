import { randomBytes } from 'node:crypto';
import { createLog, loadSettings } from '@notify/runtime';
import { startApi } from './start.ts';

test('PROVIDER_URLS for a provider whose address cannot be set is refused before anything is opened', async () => {
  const settings = loadSettings({
    DATABASE_URL: 'postgres://postgres@127.0.0.1:1/postgres',
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRETS: `1:${randomBytes(32).toString('base64')}`,
    PROVIDER_URLS: 'telegram=http://127.0.0.1:8081',
  });
  const log = createLog({ logLevel: 'silent' }, 'api');
  await expect(startApi(settings, log, '1')).rejects.toMatchObject({
    name: 'SettingsError',
    problems: [expect.stringMatching(/^PROVIDER_URLS: "telegram" .*telegram-bot/)],
  });
});
