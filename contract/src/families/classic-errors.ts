/** The error names of KESSv2 and K-TAG, which recognize and recode files in the same way. */
export const classicErrorNames = [
  'FILE_LOAD_ERROR',
  'FILE_SAVE_ERROR',
  'FILE_IS_ZIP_ARCHIVE',
  'FILE_IS_KTAG_BACKUP',
  'FILE_IS_KESSV2',
  'FILE_IS_KESS3',
  'INVALID_FILE',
  'FILE_CORRUPTED',
  'UNEXPECTED_SIZE',
  'WRONG_SIZE',
  'WRONG_IMPORT',
  'WRONG_MASTER_CODE',
  'ECU_NOT_SUPPORTED',
  'ECU_NOT_RECOGNIZED',
  'CHECKSUM_ERROR',
  'CVN_CORRECTION_ERROR',
  'VIRTUAL_READING_LOOKUP_ERROR',
] as const;

/** Those of {@link classicErrorNames} for internal errors. */
export const classicInternalErrorNames = ['FILE_SAVE_ERROR'] as const;
