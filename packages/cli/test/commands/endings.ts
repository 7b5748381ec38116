import { expect, it } from '@jest/globals';
import type { Harness } from '../harness.ts';

export function endingTests(harness: () => Harness): void {
  it('ends quietly when the reader of its output has seen enough', async () => {
    const ran = await harness().runProcess(['events', 'list', '--all'], { closesOutput: true });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends by 130 and 143 while it waits', async () => {
    const signals = { SIGINT: 130, SIGTERM: 143 } as const;
    const runs = await Promise.all(
      Object.keys(signals).map((signal) => interrupted(harness(), signal as keyof typeof signals)),
    );
    for (const [index, code] of Object.values(signals).entries())
      expect(runs[index]).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringMatching(/^Queued .+ …\n$/),
      });
  });
}

/** Waits for a message to which the provider never answers, and is signalled while it waits. */
async function interrupted({ runProcess }: Harness, signal: 'SIGINT' | 'SIGTERM') {
  const args = ['send', '--channel', 'sms', '--to', '+15550000003', '--text', 'x', '--wait', 'delivered'];
  return runProcess(args, {
    onMessages: (_stderr, kill) => kill(signal),
  });
}
