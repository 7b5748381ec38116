import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseServer, SessionAttrs } from '@notify/core';
import { type Answer, fits, type ServerState } from './choose-server.ts';

/** How long the servers that have not answered are waited for once one has that fits, in ms. */
const graceMs = 500;

/**
 * Asks all servers at once. Waits for all of them, or until shortly after the first one that fits, so that one that is cut
 * off delays nobody by more than `graceMs`. The answers have the order of the servers. Never rejects.
 */
export async function askAll(
  servers: readonly DatabaseServer[],
  attrs: SessionAttrs,
  ask: (server: DatabaseServer) => Promise<ServerState>,
): Promise<readonly Answer[]> {
  const answers = new Map<DatabaseServer, Answer>();
  const fitting = Promise.withResolvers<void>();
  const asked = servers.map(async (server) => {
    const answer = await ask(server).then(
      (state) => ({ server, state }),
      (error: Error) => ({ server, state: null, failure: error.message }),
    );
    answers.set(server, answer);
    if (answer.state !== null && fits(answer.state, attrs)) fitting.resolve();
  });
  await Promise.race([
    Promise.all(asked),
    fitting.promise.then(() => wait(graceMs, undefined, { ref: false })),
  ]);
  return servers.map((server) => answers.get(server) ?? { server, state: null });
}
