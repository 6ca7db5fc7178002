/** What a recoding page loads before its steps: the device, the entry point's response, and the operation to resume. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Device } from '../../devices/device-choice.ts';
import { type DeviceChoice, useDevice } from '../../devices/device-chooser.tsx';
import { useLeaveQuestion } from '../../../ui/dialogs/leave-guard.tsx';
import { useSession } from '../../session/session.ts';
import type { DeviceQuery, FamilyPage } from '../families/family-page.ts';
import { entranceQuery } from '../flow/entrance.ts';
import { operationRemembered, useLivePages } from '../flow/live-pages.ts';
import { useNamedOperation } from '../flow/page-address.ts';
import { useKeptNotice } from '../notices/page-questions.tsx';

function queryOf(device: Device | null): DeviceQuery {
  if (device === null) return {};
  return { groupCode: device.groupCode, masterDeviceSerialNumber: device.serialNumber };
}

export function useEntrance(page: FamilyPage) {
  const showKept = useKeptNotice();
  const session = useSession();
  const choice = useDevice(page.family, session);
  const { device } = choice;
  const { customerCode } = session;
  // The operation in the address belongs to the customer code and the device under which the page was opened.
  const [openedUnder] = useState(customerCode);
  const [hasChosen, setHasChosen] = useState(false);
  if (customerCode !== openedUnder && !hasChosen) setHasChosen(true);
  const address = useNamedOperation();
  const query = queryOf(device);
  const liveKey = {
    page,
    customerCode,
    device: device ? `${device.groupCode}/${device.serialNumber}` : '',
  };
  const named = hasChosen ? null : address;
  const pages = useLivePages();
  const entrance = useQuery(
    entranceQuery(page, queryOf(device ?? choice.initial), {
      ...{ named, remembered: operationRemembered(liveKey) },
      isChosen: device !== null,
      saveKept: (slotGUID) => pages.saveKept(slotGUID),
    }),
  );
  const { ask, question } = useLeaveQuestion();
  const onChoose: DeviceChoice['onChoose'] = (chosen) =>
    ask(() => {
      setHasChosen(true);
      choice.onChoose(chosen);
      showKept(liveKey, device, (before) => ask(() => choice.onChoose(before)));
    });
  return {
    head: { page, ...choice, onChoose },
    /** The question shown before another device discards unsaved changes; null if there is none. */
    question,
    /** The context of the steps, whose uploads name only a chosen device; another choice or code remounts them. */
    work: { query, liveKey, named },
    workKey: `${customerCode}/${device?.groupCode}/${device?.serialNumber}`,
    entrance,
    refresh: (): void => void entrance.refetch(),
  };
}
