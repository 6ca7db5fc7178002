/** The menu next to the download of a decoded image: the text formats in which it can be downloaded. */
import { type ImageTextFormat, imageTextFormats } from '@recodery/contract/features/slots';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { useTexts, withTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Menu } from '../../ui/actions/menu.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { formatNames, type ImageAsText } from './image-text.ts';

const TextDialog = onDemand(
  async () => (await withTexts(import('./text-dialog.tsx'), 'images')).TextDialog,
);

export interface TextMenuProps extends ImageAsText {
  readonly isSmall?: boolean;
}

export function TextMenu({ isSmall = false, ...image }: TextMenuProps) {
  const { t } = useTexts();
  const [format, setFormat] = useState<ImageTextFormat | null>(null);
  const label = t('images.otherFormats', { name: image.name });
  return (
    <>
      <Menu
        label={label}
        trigger={
          <Button
            icon={ChevronDown}
            label={label}
            size={isSmall ? 'small' : 'medium'}
            className="-ml-px h-auto rounded-l-none"
          />
        }
        groups={[
          {
            items: imageTextFormats.map((id) => ({
              id,
              text: t(formatNames[id]),
              onAction: () => setFormat(id),
            })),
          },
        ]}
      />
      {format !== null && <TextDialog {...image} format={format} onClose={() => setFormat(null)} />}
    </>
  );
}
