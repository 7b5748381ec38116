import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' }) => void;

/** How many bytes may pass before their buffers are freed. */
const sweptAfterBytes = 8_388_608;

/**
 * Makes a function that frees the buffers files have passed through. Call it with the bytes of each buffer. V8 counts
 * memory outside its heap too late: ten files at once left up to 120 MB of dead buffers (measured with Node 24). A
 * minor collection every 8 MB takes about a millisecond and keeps this steadily at half.
 */
export function createBufferSweep(): (bytes: number) => void {
  const collect = minorCollection();
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < sweptAfterBytes) return;
    passed = 0;
    collect({ type: 'minor' });
  };
}

/** Node exposes the collector to contexts created after this flag was set. */
function minorCollection(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
