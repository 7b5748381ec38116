import { isMainThread } from 'node:worker_threads';
import { atCheckpoint } from './at-checkpoint.ts';

// node --import '…/block.ts?ms=10000': blocks the event loop for this time at each SIGUSR2 or, with `checkpoint` and
// `nth`, at that checkpoint.
const parameters = new URL(import.meta.url).searchParams;
const ms = Number(parameters.get('ms'));
const nothing = new Int32Array(new SharedArrayBuffer(4));
const block = (): void => void Atomics.wait(nothing, 0, 0, ms);

if (parameters.has('checkpoint')) atCheckpoint(parameters, block);
else if (isMainThread) process.on('SIGUSR2', block);
