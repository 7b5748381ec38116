import { atPoint } from './at-point.ts';

// node --import '…/kill-at.ts?point=dispatch-claimed&nth=1': SIGKILL in the moment the process gets there.
atPoint(new URL(import.meta.url).searchParams, () => process.kill(process.pid, 'SIGKILL'));
