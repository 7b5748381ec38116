import { counter } from './registry.ts';

/** What people were to be told beside messages. `result` is `delivered`, or a reason of `notToldReasons` in core. */
export const telling = {
  ended: counter(
    'tells_total',
    'What people were to be told: that messages were read, or that somebody types',
    ['state', 'result'],
  ),
};
