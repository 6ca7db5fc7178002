/** What the examples of the API document show in fields, by the names of calls and fields. */

const guid = '0198c0de-5a1e-7c3d-9f42-7b1e6a2d4c88';
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const ticket = '9fGQ4c0pVt8u2mXwT1sLrA';
const portal = 'https://portal.example.org';
const workshop = 'https://workshop.example.org';
const time = '2026-11-20T09:30:00.000Z';
const code = 'CC-7001';

/** Calls that start work, and return an operation that waits. */
const starts = /^\w+\.(upload(Read|Tray)\w+|decode|encode[\w-]*|reencode\w+|sendJobFile)/;
const waiting = (field: string) => new RegExp(`${starts.source}\\.${field}$`);

/**
 * A value with the fields that it is for: the path of a field begins with its call, as in
 * `kessv2.encodeFile.notificationInfo.email`. The first counts that matches the path and that the schema allows.
 */
export const exampleValues: readonly (readonly [path: RegExp, value: unknown])[] = [
  // the administration
  [/^account\.\w+\.(old|new)Password$/, 'a sentence that only you know'],
  [/^account\.\w+\.name$/, 'Mario Rossi'],
  [
    /^account\.\w+\.device$/,
    'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
  ],
  [/^account\.\w+\.address$/, '203.0.113.7'],
  [/^setup\.setUp\.operator\.password$/, 'a sentence that only you know'],
  [/^setup\.setUp\.operator\.name$/, 'Mario Rossi'],
  [/^setup\.setUp\.organisation\.name$/, 'Rossi Tuning'],
  [/^setup\.\w+\.issuer$/, null],
  [/^setup\..*\b(serial|masterSerial)$/, '1001'],
  [/^admin\w+\.list\.(search|sort|after|next)$/, ''],
  [/^admin\w+\.act\.action$/, 'restore'],
  [/^admin\w+\..*\brevision$/, '5f2c9a1b0e4d7c36'],
  [/^admin\w+\..*\b(link|logo)$/, null],
  [/^admin\w+\..*\b(customerCodes|manager)$/, [code]],
  [/^admin\w+\..*\bowner$/, code],
  [/^admin\w+\..*\brights$/, ['kess3', 'recod']],
  [/^admin\w+\..*\bgroupCodes$/, ['GC-01']],
  [/^admin\w+\..*\bengine$/, 'built-in'],
  [/^adminEngines\..*\b(name|kind)$/, 'built-in'],
  [/^adminEngines\..*\bfamilies$/, ['kessv2', 'ktag', 'kess3']],
  [/^adminUsers\..*\bname$/, 'Mario Rossi'],
  [/^adminOrganisations\..*\bname$/, 'Rossi Tuning'],
  [/^admin\w+\..*\b(serial|masterSerial)$/, '1001'],
  [/^invitations\..*\bemails$/, ['mario@example.org']],
  [/^invitations\..*\bemail$/, 'mario@example.org'],
  [/^invitations\..*\b(name|invitedBy)$/, 'Mario Rossi'],
  [/^invitations\..*\boutcome$/, 'invited'],
  [/^invitations\..*\bisManager$/, false],
  [/^invitations\..*\blink$/, 'https://portal.example.org/idp/password/k3Jt0x'],
  // operations: one that was just started, and one that has succeeded
  [/^kessv2\.(re)?encode\w+\.asyncOperationType$/, 'KESSv2Encode'],
  [/^ktag\.encode\w+\.asyncOperationType$/, 'KTAGEncode'],
  [/^kess3\.encode\w+\.asyncOperationType$/, 'KESS3Encode'],
  [/^ktag\..*asyncOperationType$/, 'KTAGDecode'],
  [/^kess3\..*asyncOperationType$/, 'KESS3Decode'],
  [waiting('(result|completedOn|duration|startedOn)'), null],
  [waiting('(isCompleted|isSuccessful)'), false],
  [waiting('progress'), { stage: 'UPLOADING', fraction: 0 }],
  [/\.progress$/, { stage: 'COMPLETED', fraction: 1 }],
  [waiting('status'), 'waiting'],
  [waiting('status'), 0],
  [/\.(error|errorName|failure|reason|cause|detail|additionalInfo)$/, null],
  [/\.(error(Code|Cause|Detail)|longMessage|replaced\w*|repaired|revokedOn|draft|removed)$/, null],
  [/\.(warnings|removed|unchecked)$/, []],
  [/\.(isCompleted|isSuccessful|isThere|isSent|hasPortalAccess|canReceive|canUse\w*)$/, true],
  [/\.hasAcceptedTerms$/, true],
  [/listDeliveries\.status$/, 204],
  [/\.status$/, 'succeeded'],
  // what the subscription refuses: nothing
  [/\.entries\.[\w-]+$/, null],
  // identifiers
  [
    /GUID$|\.(guid|slot|sessionI[dD]|ktagSlotID|id|webhookId|person|madeFrom|before|next|files)$/,
    guid,
  ],
  [/GUIDs$/, [guid]],
  [/cancelUpload\.upload$/, '4f1d2c7e9a0b4f1d2c7e9a0b4f1d2c7e'],
  [/\.(sha256|kid)$/, sha256],
  [/eceipts?\.(\w+\.)*code$|receiptCode$|receiptPage\.code$/i, '7K3M-9QXA-2VTR-5HDN'],
  [/switchCustomerCode\.code$/, 'CC-7002'],
  [/\.(ticket|token|accessToken|x)$/i, ticket],
  [/\.data$/, 'AAECAwQFBgc='],
  [/\.(secret(Key)?|webhookSecret)$/, 'the-secret-is-shown-only-once'],
  [/\.payload$/, 'eyJ0eXBlIjoicmVjb2RlcnktcmVjZWlwdCJ9'],
  [/\.protected$/, 'eyJhbGciOiJFZERTQSJ9'],
  [/\.signature$/, 'b5Qm3Zk0y8r1Jw'],
  // times and numbers
  [/On$|\.(from|to|expiringUntil)$/, time],
  [/On$/, '2026-11-20T09:30:00.0000000'],
  [/\.(at|from|first)$/, '0'],
  [/\.count$/, '50'],
  [/\.duration$/, '00:00:03.2500000'],
  [/\.(recommended|suggested)PollingInterval$/, 1],
  [/\.fraction$/, 0.002],
  [/\.retentionDays$/, 365],
  [/(\.size|Size|maxFileBytes)$/, 2_097_152],
  [/\.timeZone$/, 'Europe/Rome'],
  // people and organisations
  [/customerCode$/i, code],
  [/\.customerCodeNames$/, { [code]: 'Rossi Tuning' }],
  [/\.otherCustomerCodes$/, ['CC-7002']],
  [/\.(userCode|customerLabel)$/, 'Order 4711'],
  [/\.groupCode$/, 'GC-01'],
  [/email(Address)?$|\.(sentTo|legal)$/i, 'mario.rossi@example.org'],
  [/OrganizationName$|\.(organisationName|dealer)$/i, 'Rossi Tuning'],
  [/displayName$|\.notedBy$/i, 'Mario Rossi'],
  [/\.(culture|language)$/, 'it-IT'],
  [/terms\.articles$/, ['4.2', '7']],
  [/terms\.version$/, '2026-11-20'],
  [/\.i_twoLetterCode$/, 'it'],
  [/LogoURL$/, `/api/organisations/${guid}/logo/1`],
  [/^clients\.\w+\.name$/, 'Back office'],
  [/\.allowedNetworks$/, ['203.0.113.0/24']],
  // devices and vehicles
  [/SerialNumber$|\.(serialNumber|slave|SN|device)$/i, '1001'],
  [/SerialNumbers$|\.devices$/i, ['1001']],
  [/\.family$/, 'kessv2'],
  [/\.(engine|productName)$|engines?\.name$/i, 'Recodery'],
  [/\.protocolID$/, '1234'],
  [/\.(protocolName|protocol|prt|imp|impianto)$|protocol\.name$/i, 'EDC17C64'],
  [/\.plate$/, 'AB123CD'],
  [/\.vehicleMake$/, 'Volkswagen'],
  [/\.vehicleModel$/, 'Golf 2.0 TDI'],
  [/\.vin$/i, 'WVWZZZ1KZAW000001'],
  [/\.(hardware\w*|hw.*)$/i, '0281013226'],
  [/\.softwareDate$/, '2009-11-20'],
  [/\.(software\w*|sw.*)$/i, '03G906021KE'],
  [/\.(spare|system)$/i, 'EDC17'],
  // addresses
  [/webhook\w*\.url$|(callback|target)URL$/i, `${workshop}/hook`],
  [/eceipts\.url$/, `${portal}/receipts/7K3M-9QXA-2VTR-5HDN`],
  [/(signIn|signOut)URL$/, `${portal}/sso/start`],
  [/URL$|\.(url|download)$/, `/api/files/${guid}?ticket=${ticket}`],
  [/\.userGuide$/, { en: `${portal}/guide/en` }],
  [/\.(dashboard|privacy|cookies|terms|support|portal)$/, portal],
  // files and texts
  [/\.removed$/, ['flash']],
  [/\.(part|component)$/i, 'modified'],
  [/\.modifiedFile$/, 'the bytes of read-1001-modified.bin'],
  [/importJob\.job$/, 'the line that describes job 1001, and the bytes of its files'],
  [/\.originalFile$/, 'the bytes of read-1001-original.bin'],
  [/\.(readFile|file)$/, 'the bytes of read-1001.tfc'],
  [/NameFormat$/, '{readFileName}'],
  [/\.encoded\w*Name$|\.(encodedAs|resultName|targetURLFileName)$/, 'read-1001.encoded.moc'],
  [/decodedFileName$/i, 'read-1001.decoded.bin'],
  [/\.idFileName$/, 'read-1001.id.txt'],
  [/nameTray\.name$/, 'Monday'],
  [/fileName$|\.name$/i, 'read-1001.tfc'],
  [/\.fileType$/, 'Decoded'],
  [/\.(note|message|text)$/, 'Ready for the test drive.'],
  [/\.search$/, 'golf'],
  [/\.(contextData|userInfo)$/, 'order=4711'],
  [/\.companyLines$/, ['Rossi Tuning, Via Roma 1, Milano']],
  [/\.version$/, '0.9.0'],
  [/^serviceStatus\.get(OpenApi|EncodingApiDocument)$/, { openapi: '3.1.0' }],
];
