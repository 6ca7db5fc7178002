/** The memories of a control unit, where a maker's service returns an image of each. */

/** Those that the makers name, as they write them. */
export const namedMemories = ['int_flash', 'ext_flash', 'int_eeprom', 'ext_eeprom'] as const;

/** Those of other names, in the order in which the service returns them. */
export const furtherMemories = ['memory1', 'memory2', 'memory3', 'memory4'] as const;

/** The components of a read. */
export const memories = [...namedMemories, ...furtherMemories] as const;
