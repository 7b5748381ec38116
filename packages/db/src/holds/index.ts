export { holdSends, readHold, releaseSends } from './hold.ts';
