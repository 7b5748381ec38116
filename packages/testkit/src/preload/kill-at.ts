import { atCheckpoint } from './at-checkpoint.ts';

// node --import '…/kill-at.ts?checkpoint=dispatch-claimed&nth=1': SIGKILL when the process reaches that checkpoint.
atCheckpoint(new URL(import.meta.url).searchParams, () => process.kill(process.pid, 'SIGKILL'));
