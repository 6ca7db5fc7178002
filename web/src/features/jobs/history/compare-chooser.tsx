/** Chooses the image that an image of a job is compared with: any of the same size, of all jobs. */
import { type ComparableImage, listComparable } from '@recodery/contract/features/comparison';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import FolderSearch from 'lucide-react/icons/folder-search';
import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { trueTime } from '../../../api/server-clock.ts';
import { timeText } from '../../../i18n/formats.ts';
import { ownWordsOf } from '../../../i18n/own-words.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../../ui/display/empty-state.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { PlainButton } from '../../../ui/actions/plain-button.tsx';
import { useSeeMore } from '../../../ui/actions/see-more.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { ComparedImage } from './compared-images.ts';
import { useTypedText } from '../../../ui/fields/typed-text.ts';

interface ChoiceProps {
  readonly image: ComparableImage;
  readonly now: Date;
  readonly nameOf: (component: string) => string;
  readonly onChoose: () => void;
}

function Choice({ image, now, nameOf, onChoose }: ChoiceProps) {
  const { t, language } = useTexts(ownWordsOf(image.workflow));
  const { role, component, name, createdOn, fileName, vin, slaveSerialNumber, encodedAs } = image;
  return (
    <li
      tabIndex={-1}
      className="relative border-line py-3 text-md not-first:border-t hover:bg-sunken/60"
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <PlainButton
          onPress={onChoose}
          // the pieces of a long text would be read with pauses
          aria-label={name}
          className="rounded-[3px] text-left text-base font-medium after:absolute after:inset-0"
        >
          <LongText>{name}</LongText>
        </PlainButton>
        {component !== null && component !== 'obd' && (
          <Badge state="neutral">{nameOf(component)}</Badge>
        )}
      </p>
      <p className="text-ink-2">
        {t(`job.${role}`)} ·{' '}
        <span className="tabular-nums">{timeText(createdOn, now, language)}</span>
      </p>
      <p className="text-ink-2">
        <LongText>{[fileName, vin, slaveSerialNumber].filter(Boolean).join(' · ')}</LongText>
      </p>
      {encodedAs !== null && (
        <p className="text-ink-2">
          <LongText>{t('job.encodedAs', { name: encodedAs })}</LongText>
        </p>
      )}
    </li>
  );
}

/** The images that an image can be compared with, in pages. */
function useComparable(fileGUID: string, search: string) {
  return useInfiniteQuery({
    // keys that begin with `code` belong to the customer code and are removed with it
    queryKey: ['code', 'jobs', 'comparable', fileGUID, search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...(search.trim() === '' ? {} : { search }),
        ...(pageParam === null ? {} : { before: pageParam }),
      };
      return call(listComparable, { params: { fileGUID }, query }, { signal });
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages, pageParams }) => ({
      pages: pages.map(({ images }) => images),
      pageParams,
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // that would request all pages
    refetchOnWindowFocus: false,
  });
}

/** Continues a search that has found nothing among the images of the last page; returns whether it does. */
function useFurtherSearch({
  data,
  hasNextPage,
  isError,
  isFetching,
  fetchNextPage,
}: ReturnType<typeof useComparable>): boolean {
  const goesOn = data?.pages.at(-1)?.length === 0 && hasNextPage && !isError;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return goesOn;
}

function NothingFound() {
  const { t } = useTexts();
  return (
    <EmptyState icon={FolderSearch} title={t('job.compareNone')}>
      {t('job.compareNoneAbout')}
    </EmptyState>
  );
}

export interface CompareChooserProps {
  /** The image to compare. */
  readonly image: ComparedImage;
  readonly nameOf: (component: string) => string;
  readonly onChoose: (other: ComparableImage) => void;
  readonly onClose: () => void;
}

export function CompareChooser({ image, nameOf, onChoose, onClose }: CompareChooserProps) {
  const { t } = useTexts();
  const { fileGUID, name } = image;
  const [search, setSearch] = useState('');
  const [text, setText] = useTypedText(search, setSearch);
  const found = useComparable(fileGUID, search);
  const goesOn = useFurtherSearch(found);
  const { hasNextPage } = found;
  const count = found.data?.pages.flat().length ?? 0;
  const { list, seeMore } = useSeeMore<HTMLUListElement>(count, found);
  return (
    <Dialog title={t('job.compareTitle', { name })} onClose={onClose} closesOutside>
      <p className="mb-4 text-md text-ink-2">{t('job.compareAbout')}</p>
      <TextField
        type="search"
        autoComplete="off"
        label={t('jobs.search')}
        placeholder={t('jobs.searchHint')}
        value={text}
        onChange={setText}
        maxLength={200}
      />
      <div className="mt-2">
        <Loaded query={found}>
          {({ pages }) =>
            count === 0 ? (
              <div role="status">{!hasNextPage && <NothingFound />}</div>
            ) : (
              <ul ref={list} aria-label={t('job.compareTitle', { name })}>
                {pages.flat().map((one) => (
                  <Choice
                    key={one.fileGUID}
                    image={one}
                    now={trueTime(found.dataUpdatedAt)}
                    nameOf={nameOf}
                    onChoose={() => onChoose(one)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
        {hasNextPage && (
          <Button
            className="mt-2"
            isPending={found.isFetchingNextPage || goesOn}
            onPress={() => void seeMore()}
          >
            {t('notifications.more')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
