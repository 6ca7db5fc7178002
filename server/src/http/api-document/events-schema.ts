/** Describes the events of the event stream: their names, and the record that each of them contains as JSON. */
import { message } from '@recodery/contract/features/messages';
import { notification } from '@recodery/contract/features/notifications';
import { type EventName, operation } from '@recodery/contract/features/operations';
import { serviceStatus } from '@recodery/contract/features/service-status';
import { session } from '@recodery/contract/features/session';
import { slotDraft } from '@recodery/contract/features/slots';
import * as z from 'zod/mini';
import { type Json, schemaOf } from './schema.ts';

const records: Readonly<Record<EventName, z.ZodMiniType>> = {
  operation,
  notification,
  'service-status': serviceStatus,
  message: z.array(message),
  session,
  draft: slotDraft,
};

/** The schema of the stream, as the list of its events. */
export const describeEvents = (): Json => ({
  type: 'array',
  description: 'Server-sent events. `data` is a record as JSON text.',
  items: {
    oneOf: Object.entries(records).map(([name, record]) => ({
      type: 'object',
      required: ['event', 'data'],
      properties: {
        event: { type: 'string', const: name },
        data: {
          type: 'string',
          contentMediaType: 'application/json',
          contentSchema: schemaOf(record, 'output'),
        },
      },
    })),
    discriminator: { propertyName: 'event' },
  },
});
