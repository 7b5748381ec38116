export type * from './channel.ts';
