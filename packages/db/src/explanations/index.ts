export {
  type AccountFacts,
  type DeliveryFacts,
  type DueFacts,
  type LeaseFacts,
  type MessageFacts,
  mostCounted,
  type ProcessFacts,
  type WebhookFacts,
} from './facts.ts';
export { findMessageOf, readMessageFacts } from './read.ts';
