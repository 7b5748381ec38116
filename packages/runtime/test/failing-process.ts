import { loadSettings, startHealthServer, startProcess } from '@notify/runtime';

/** A process that cannot begin, for `start-process.test.ts`; its argument says why. */
const reasons: Record<string, () => Promise<void>> = {
  settings: async () => void loadSettings({ MASTER_KEYS: 'hidden' }),
  port: async () => {
    const options = { host: '127.0.0.1', checks: {}, required: [] };
    const first = await startHealthServer({ ...options, port: 0 });
    await startHealthServer({ ...options, port: first.port });
  },
  bug: async () => {
    throw new TypeError('postgres://notify:hidden@db is not a function');
  },
};

await startProcess('failing', reasons[process.argv[2] ?? ''] ?? (async () => undefined));
