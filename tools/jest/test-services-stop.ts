export { stop as default } from './test-services.ts';
