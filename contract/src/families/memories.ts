/** The memories of a control unit, where a maker's service returns an image of each. */

/** Those that the makers name, as they write them. */
export const namedMemories = ['int_flash', 'ext_flash', 'int_eeprom', 'ext_eeprom'] as const;

/** What some makers return instead of a memory: the maps alone, or everything in one image. */
export const dumps = ['maps', 'full_dump'] as const;

/** Those of other names, in the order in which the service returns them. */
export const furtherMemories = ['memory1', 'memory2', 'memory3', 'memory4'] as const;

/** All components that a read of such a make can have. */
export const memories = [...namedMemories, ...dumps, ...furtherMemories] as const;
