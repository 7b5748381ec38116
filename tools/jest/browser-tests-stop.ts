export { stop as default } from './browser-tests.ts';
