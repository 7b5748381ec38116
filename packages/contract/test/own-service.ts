import { startService } from '@notify/testkit';
import { type Service, serviceAt } from './service.ts';

/** A service that the suite started itself. */
export interface OwnService extends Service {
  stop(): Promise<void>;
}

/** What lets the suite run at its own pace: nobody is slowed, passwords cost little, and no phone's network is called. */
const brisk = {
  LOGIN_ATTEMPTS_PER_MINUTE: '100000',
  LOGIN_ATTEMPTS_PER_ADDRESS: '100000',
  BCRYPT_COST: '4',
  WHATSAPP_WEB_URL: 'ws://127.0.0.1:1/',
};

/** Starts the whole service as `npm start` does, on a free port and a data folder of its own, with these settings. */
export async function openService(environment: Readonly<Record<string, string>> = {}): Promise<OwnService> {
  const running = await startService({ env: { ...brisk, ...environment } });
  return { ...serviceAt(running.url), stop: () => running.stop() };
}
