/** What everybody knows of the demo accounts. */

/** The password of every demo account. */
export const demoPassword = 'demo';
/** The account that the sign-in page offers to try. */
export const demoHintAccount = 'anna@demo.test';
