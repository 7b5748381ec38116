import { isMainThread } from 'node:worker_threads';
import { atPoint } from './at-point.ts';

// node --import '…/block.ts?ms=10000': the event loop stands still for so long at each SIGUSR2, or, with `point` and
// `nth`, when the process gets there.
const parameters = new URL(import.meta.url).searchParams;
const ms = Number(parameters.get('ms'));
const nothing = new Int32Array(new SharedArrayBuffer(4));
const block = (): void => void Atomics.wait(nothing, 0, 0, ms);

if (parameters.has('point')) atPoint(parameters, block);
else if (isMainThread) process.on('SIGUSR2', block);
