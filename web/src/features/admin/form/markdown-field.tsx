/** A text of many lines in Markdown, with a preview as the page that users will see. */
import { previewTerms } from '@recodery/contract/admin/terms-preview';
import { useMutation } from '@tanstack/react-query';
import Eye from 'lucide-react/icons/eye';
import { call } from '../../../api/call.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import type { RecordFieldProps } from './field-props.ts';

/** Lines of a text that has been begun, and of one that has not. */
const manyLines = 14;
const fewLines = 2;

export function MarkdownField({
  name,
  field,
  label,
  hint,
  error,
  value,
  onChange,
}: RecordFieldProps) {
  const { t } = useTexts();
  const text = typeof value === 'string' ? value : '';
  const { mutate, isPending, data, reset } = useMutation({
    mutationFn: () => call(previewTerms, { body: { language: name, text } }),
  });
  const title = t('ui.labelled', { label: t('admin.messages.preview'), value: label });
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <TextField
          label={label}
          value={text}
          lines={text === '' ? fewLines : manyLines}
          maxLength={field.most ?? 0}
          isMono
          hint={hint ?? false}
          error={error}
          onChange={(next) => onChange(next === '' ? null : next)}
        />
      </div>
      {text !== '' && (
        <Button
          icon={Eye}
          size="small"
          aria-label={title}
          isPending={isPending}
          onPress={() => mutate(undefined, { onError: (thrown) => showFailure(t, thrown) })}
        >
          {t('admin.messages.preview')}
        </Button>
      )}
      {data !== undefined && (
        <Dialog title={title} size="full" onClose={reset}>
          {/* without scripts and forms: the text is the operator's; of the same origin for its fonts */}
          <iframe
            title={title}
            srcDoc={data.page}
            sandbox="allow-same-origin"
            className="size-full"
          />
        </Dialog>
      )}
    </div>
  );
}
