export { type MessageFigure, readUsage, type Usage, type UsageQuery, type WebhookFigures } from './read.ts';
export { recountDay } from './recount.ts';
export { rollUpUsage } from './roll-up.ts';
