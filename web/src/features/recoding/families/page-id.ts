/** The recoding pages by the word in their address. */
export const pageIds = ['kessv2', 'ktag', 'kess3', 'kess3-utility'] as const;
export type PageId = (typeof pageIds)[number];
