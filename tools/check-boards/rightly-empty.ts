/** Expressions that may return nothing although all is well, each with its reason. Keep it short: an unknown metric hides here. */
export const rightlyEmpty: readonly { readonly expr: string; readonly because: string }[] = [
  {
    expr: 'ALERTS{alertname=~"Notify.*", alertstate="firing"}',
    because: 'no alert may fire while all is well',
  },
];
