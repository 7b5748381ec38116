export { explain, type Explanation } from './explain.ts';
export type { Reason } from './reason.ts';
export { plain } from './said.ts';
export { type Standing, standingOf, standingOfDelivery } from './standing.ts';
export { span, timeBeside } from './times.ts';
export { wordsOf } from './words.ts';
