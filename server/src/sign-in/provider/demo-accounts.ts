/** The publicly known data of the demo accounts. */

/** The password of every demo account. */
export const demoPassword = 'demo';
/** The account that the sign-in page suggests. */
export const demoHintAccount = 'anna@demo.test';
