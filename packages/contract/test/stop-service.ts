export { stop as default } from './start-service.ts';
