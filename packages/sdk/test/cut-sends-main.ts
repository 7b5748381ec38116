import { startService } from '@notify/testkit';
import { cutSends } from './cut-sends.ts';

// Sends through proxies that cut every connection's offset: `node packages/sdk/test/cut-sends-main.ts 10000`.
const sends = Number(process.argv[2] ?? 10_000);
const service = await startService({ env: { BCRYPT_COST: '4', SESSION_RATE_PER_MINUTE: '100000' } });
try {
  const startedAt = performance.now();
  const report = await cutSends({ url: service.url, sends, lanes: 64 });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`${JSON.stringify({ ...report, seconds }, null, 2)}\n`);
  const wrong = [report.rejected, report.missing, report.duplicated, report.misreported].flat();
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await service.stop();
}
