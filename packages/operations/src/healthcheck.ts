import { healthPorts } from '@notify/core';

// The HEALTHCHECK of the images, with HEALTH_PORT as its argument if that is set. Exits with 0 if the process of this
// container is ready. A container runs one process, so only one of the ports responds.

const [, , set] = process.argv;
const ports = set === undefined ? Object.values(healthPorts) : [set];

/** Rejects unless the process at this port is ready. */
async function demandReady(port: string | number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
}

try {
  await Promise.any(ports.map(demandReady));
} catch (error) {
  process.stderr.write(`${(error as AggregateError).errors.map(String).join('\n')}\n`);
  process.exitCode = 1;
}
