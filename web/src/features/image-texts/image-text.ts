/** The text formats of images, and the image that is downloaded. */
import type { ImageTextFormat } from '@recodery/contract/features/slots';
import type { TextKey } from '../../i18n/texts.ts';

export const formatNames = {
  'intel-hex': 'images.intelHex',
  's-record': 'images.sRecord',
} as const satisfies Record<ImageTextFormat, TextKey>;

export interface ImageAsText {
  /** The name of the image's file. */
  readonly name: string;
  /** Bytes; null if the server has not sent it. */
  readonly size: number | null;
  /** Requests a fresh address of the image. */
  readonly fetchUrl: () => Promise<string>;
  readonly onStarted?: (() => void) | undefined;
}
