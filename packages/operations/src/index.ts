export { type Observed, observe, type ObserveOptions } from './observe.ts';
