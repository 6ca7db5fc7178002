/** What the examples of the API document show in fields, by the names of calls and fields. */

const guid = '0198c0de-5a1e-7c3d-9f42-7b1e6a2d4c88';
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const token = '9fGQ4c0pVt8u2mXwT1sLrA';
const portal = 'https://portal.example.org';
const fileUrl = `/api/files/${guid}?ticket=${token}`;
const time = '2026-11-20T09:30:00.000Z';
const code = 'CC-7001';
const password = 'a sentence that only you know';
const passkeyOptions = '{"challenge":"k3Jt0x","rp":{"id":"portal.example.org"}}';

/** A control unit whose numbers were found in an image. */
const recognition = {
  family: 'bosch-me7',
  name: 'Bosch ME7.5',
  certainty: 'certain',
  isValidated: true,
  isSwapped: false,
  fields: [
    { name: 'hardware', value: '0261207955', offset: 99_110, text: '0261207955' },
    { name: 'software', value: '1037360987', offset: 99_120, text: '1037360987' },
  ],
};

/** Texts for fields without a value below: a field with a pattern shows the first one that matches it. */
export const patternTexts = [
  time,
  guid,
  sha256,
  '2026-11-20T09:30:00.0000000',
  '00:00:03.2500000',
  '0',
];

/** Every call. */
const any = /./;
/** Calls that start work, and return an operation that waits. */
const starts = /^\w+\.(upload(Read|Tray)\w+|decode|encode[\w-]*|reencode\w+|sendJobFile)\./;

/** The values of fields in these calls, by how the path of a field ends: `name` is also the value of `email.name`. */
type Values = readonly [calls: RegExp, values: Readonly<Record<string, unknown>>];

/**
 * The path of a field begins with its call, as in `kessv2.encodeFile.notificationInfo.email`. The first value counts that
 * matches the path and that the schema allows.
 */
export const exampleValues: readonly Values[] = [
  // accounts and the setup
  [
    /^account\./,
    { device: 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0' },
  ],
  [/^factors\./, { name: 'Phone', code: '492039', rows: ['1111111', '1000001'] }],
  [/^factors\./, { draft: 'AQAAAAEh5xkq', recoveryCodesLeft: 10 }],
  [/^factors\./, { recoveryCodes: ['k3jt-0x9v-2mwq-8hcd'], secret: 'JBSWY3DPEHPK3PXP' }],
  [/^factors\./, { credential: '{"id":"k3Jt0x","type":"public-key"}' }],
  [
    /^factors\./,
    {
      address:
        'otpauth://totp/Recodery:mario%40example.org?issuer=Recodery&secret=JBSWY3DPEHPK3PXP',
    },
  ],
  [/^(account|factors|setup)\./, { canAddPasskey: true, options: passkeyOptions, password }],
  [/^(account|factors|setup)\./, { passkey: null }],
  [/^setup\./, { 'operator.name': 'Mario Rossi', 'draftSetupPasskey.name': 'Mario Rossi' }],
  [/^setup\./, { 'organisation.name': 'Rossi Tuning', issuer: null, recoveryCodes: null }],
  [/^setup\./, { publicUrl: portal, protocol: 'https', host: 'portal.example.org' }],
  [/^setup\./, { untrustedProxy: null, to: 'mario@example.org' }],
  [/^setup\./, { response: '250 2.0.0 Ok: queued as 4fXk2p1Yz' }],
  // the administration
  [/^adminAudit\./, { 'perform.task': 'verify', who: 'mario@example.org', whoKind: 'user' }],
  [/^adminAudit\./, { action: 'adminUsers.update' }],
  [/^adminAudit\./, { details: '{ "changes": { "operator": [false, true] } }', outcome: 'done' }],
  [/^adminAudit\./, { hash: sha256, text: 'Entries 1 to 4711 are complete and unchanged.' }],
  [/^adminBackups\./, { 'perform.task': 'create', text: 'The backup starts within seconds.' }],
  [/^adminBackups\./, { 'act.action': 'verify', fileName: 'recodery-2026-11-21T080000Z.tar' }],
  [/^adminBackups\./, { backupState: 'complete', origin: 'schedule', sizeBytes: 5_368_709_120 }],
  [/^adminBackups\./, { who: null, copiedPercent: null, missing: 0, damaged: 0 }],
  [
    /^adminBackups\./,
    {
      restoreCommand:
        'npx --no-install recodery restore /backups/recodery-2026-11-21T080000Z.tar --replace',
    },
  ],
  [/^adminBackup/, { keys: 'included', hour: '03:00', kept: 30, folder: '/backups' }],
  [/^adminEmails\./, { kind: 'invitation', status: 'waiting', sentOn: null }],
  [/^adminEmails\./, { 'act.action': 'retry', 'perform.task': 'test' }],
  [/^adminEmails\./, { error: '451 4.7.1 Try again later' }],
  [/^adminEmails\./, { text: 'The mail server has accepted the email.' }],
  [/^adminEngines\./, { 'act.action': 'test', name: 'acme', kind: 'encoding-api', client: guid }],
  [/^adminEngines\./, { url: 'https://api.vendor.example', families: ['kessv2', 'ktag', 'kess3'] }],
  [/^adminEngines\./, { secret: 'the secret from the vendor' }],
  [/^adminEngines\./, { text: 'The service accepts the credentials.' }],
  [/^adminKeys\./, { 'act.action': 'renew', 'perform.task': 'rotate', purpose: 'session' }],
  [/^adminKeys\./, { care: 'renew', text: 'Rotated the secret, and wrapped 27 keys again.' }],
  [/^adminMaintenance\./, { state: 'planned' }],
  [/^adminMasters\./, { engine: 'built-in' }],
  [/^adminMessages\./, { text: 'Closed on Friday from 18:00.', language: 'en', state: 'shown' }],
  [/^adminOrganisations\./, { rights: ['kess3', 'recod'], groupCodes: ['GC-01'], quotaGib: 50 }],
  [/^adminOriginals\./, { protocol: '1002', protocolName: 'REF-OBD-VR', fileName: 'original.bin' }],
  [/^adminOriginals\./, { hardware: '0261S12345', software: '1037512345', sizeBytes: 524_288 }],
  [/^adminOriginals\./, { image: 'ab'.repeat(32) }],
  [/^adminPeople\./, { state: 'active', mail: null }],
  [/^adminSettings\./, { name: 'link.support', value: 'https://example.org/support', lines: [] }],
  [/^adminSettings\./, { image: null, variable: null, about: null, type: 'link' }],
  [/^adminSettings\./, { isEditable: true }],
  [/^adminSignIn\./, { 'act.action': 'test', provider: 'external', matching: 'subject' }],
  [/^adminSignIn\./, { hasSecret: true, source: 'environment' }],
  [/^adminSignIn\./, { issuer: 'https://login.example.org', clientId: 'recodery' }],
  [/^adminSignIn\./, { variables: ['RECODERY_OIDC_ISSUER', 'RECODERY_OIDC_CLIENT_ID'] }],
  [/^adminSignIn\./, { redirectAddress: `${portal}/sso/callback`, signOutAddress: `${portal}/` }],
  [
    /^adminSignIn\./,
    {
      'act.finding': {
        state: 'ok',
        text: 'https://login.example.org responds, and accepts the client ID and its secret.',
        checks: [{ what: 'keys', state: 'ok', text: '2 signing keys were read.' }],
      },
    },
  ],
  [/^adminSignInFailures\./, { reason: 'no-account' }],
  [/^adminStorage\./, { 'perform.task': 'scan' }],
  [/^adminStorage\./, { text: 'A worker starts the scan within ten minutes.' }],
  [/^adminStorage\./, { usedBytes: 5_368_709_120, quotaBytes: 107_374_182_400, usedPercent: 5 }],
  [/^adminStorage\./, { damaged: 0 }],
  [/^adminTerms\./, { 'act.action': 'publish', state: 'current' }],
  [/^adminTerms\./, { en: '# Terms of use\n\n## 1. Scope', it: null, de: null, fr: null }],
  [/^adminTerms\./, { es: null, pt: null, pl: null, ru: null, zh: null }],
  [/^admin(Terms|Acceptances)\./, { version: '2027-01', variables: [], articles: ['4.2', '7'] }],
  [/^termsPreview\./, { language: 'en', text: '# Terms of use' }],
  [/^termsPreview\./, { page: '<!doctype html><title>Terms of use</title>' }],
  [/^admin(?!Engines)\w+\.act\./, { finding: null, action: 'restore' }],
  // only the check of the sign-in provider has parts
  [/^(overview|admin\w+)\./, { checks: [] }],
  [/^admin\w+\./, { search: '', sort: '', after: '', next: '', revision: '5f2c9a1b0e4d7c36' }],
  [/^admin\w+\./, { confirm: '3', source: 'page', link: null, logo: null, suspended: [] }],
  [/^admin\w+\./, { owner: code, customerCodes: [code], manager: [code] }],
  [/^admin(Storage|Organisations)\./, { name: 'Rossi Tuning' }],
  [/^directory\./, { directory: 'the bytes of directory.yaml', plan: sha256, moves: [] }],
  [/^directory\./, { mistakes: [], kind: 'user', key: 'mario@example.org', action: 'change' }],
  [/^directory\./, { name: 'manager', before: null, after: code }],
  [/^overview\./, { 'getOverview.version': '0.13.0', newer: '0.14.0', what: 'worker' }],
  [/^overview\./, { lastError: null }],
  [/^overview\./, { 'findings.text': 'A worker reported within the last 15 seconds.' }],
  [/^overview\./, { text: '# Changelog' }],
  [/^manySlaves\./, { list: ['1001', '1002; CC-9001'], owner: 'CC-9001' }],
  [/^invitations\./, { emails: ['mario@example.org'], email: 'mario@example.org' }],
  [/^invitations\./, { link: `${portal}/idp/password/k3Jt0x` }],
  [/^(account|admin\w+|invitations)\./, { name: 'Mario Rossi' }],
  // operations: one that was just started, and one that has succeeded
  [/^kessv2\.(re)?encode/, { asyncOperationType: 'KESSv2Encode' }],
  [/^ktag\.encode/, { asyncOperationType: 'KTAGEncode' }],
  [/^kess3\.encode/, { asyncOperationType: 'KESS3Encode' }],
  [/^ktag\./, { asyncOperationType: 'KTAGDecode' }],
  [/^kess3\./, { asyncOperationType: 'KESS3Decode' }],
  [starts, { result: null, completedOn: null, duration: null, isCompleted: false }],
  [starts, { isSuccessful: false, progress: { stage: 'UPLOADING', fraction: 0 } }],
  [starts, { status: 'waiting' }],
  [starts, { status: 0 }],
  [any, { progress: { stage: 'COMPLETED', fraction: 1 }, status: 'succeeded', warnings: [] }],
  [/^webhooks\./, { status: 204, url: 'https://workshop.example.org/hook' }],
  [any, { isCompleted: true, isSuccessful: true, isThere: true, isSent: true }],
  [any, { hasPortalAccess: true, canReceive: true, canUseReCod: true, canUseUtility: true }],
  [any, { canUserAutoSend: true, hasAcceptedTerms: true, error: null }],
  [any, { 'failures.error.errorName': 'FILE_LOAD_ERROR', failure: null, reason: null }],
  [any, { cause: null, detail: null, additionalInfo: null, errorCode: null, longMessage: null }],
  [any, { replaced: null, replacedBy: null, replacedOn: null, repaired: null, revokedOn: null }],
  [any, { draft: null, removed: null, refused: [] }],
  [any, { refused: {}, recognition, recognized: [{ component: null, recognition }] }],
  // what the subscription refuses: nothing
  [/\.entries\.[\w-]+$/, { '': null }],
  [any, { 'corrections.scheme': 'Bosch ME7', 'corrections.parts': ['CRC', 'Multipoint 2'] }],
  // identifiers and secrets
  [/^session\./, { 'switchCustomerCode.code': 'CC-7002' }],
  [/^receipts\./, { code: '7K3M-9QXA-2VTR-5HDN', kid: sha256, x: token }],
  [/^receipts\./, { payload: 'eyJ0eXBlIjoicmVjb2RlcnktcmVjZWlwdCJ9' }],
  [/^receipts\./, { protected: 'eyJhbGciOiJFZERTQSJ9', signature: 'b5Qm3Zk0y8r1Jw' }],
  [/^receipts\./, { url: `${portal}/receipts/7K3M-9QXA-2VTR-5HDN` }],
  [any, { GUID: guid, guid, sessionID: guid, id: guid, slot: guid, sha256, ticket: token, token }],
  [any, { 'cancelUpload.upload': '4f1d2c7e9a0b4f1d2c7e9a0b4f1d2c7e' }],
  [any, { secret: 'the-secret-is-shown-only-once', secretKey: 'the-secret-is-shown-only-once' }],
  // times and numbers
  [any, { sentTo: 'mario.rossi@example.org', on: time, from: time, to: time, count: '50' }],
  [any, { fraction: 0.002, retentionDays: 365, timeZone: 'Europe/Rome' }],
  [any, { size: 2_097_152, maxFileBytes: 2_097_152 }],
  // people and organisations
  [any, { customerCode: code, customerCodeNames: { [code]: 'Rossi Tuning' } }],
  [any, { otherCustomerCodes: ['CC-7002'], userCode: 'Order 4711', customerLabel: 'Order 4711' }],
  [any, { contextData: 'order=4711', data: 'AAECAwQFBgc=', userInfo: 'order=4711' }],
  [any, { groupCode: 'GC-01', culture: 'it-IT', language: 'it-IT', i_twoLetterCode: 'it' }],
  [any, { email: 'mario.rossi@example.org', emailAddress: 'mario.rossi@example.org' }],
  [any, { legal: 'mario.rossi@example.org', organizationName: 'Rossi Tuning' }],
  [any, { organisationName: 'Rossi Tuning', dealer: 'Rossi Tuning', displayName: 'Mario Rossi' }],
  [any, { notedBy: 'Mario Rossi', keptBy: 'Mario Rossi', invitedBy: 'Mario Rossi' }],
  [any, { logoURL: `/api/organisations/${guid}/logo/1`, allowedNetworks: ['203.0.113.0/24'] }],
  [any, { address: '203.0.113.7', 'terms.articles': ['4.2', '7'], 'terms.version': '2026-11-20' }],
  [/^clients\./, { name: 'Back office' }],
  // devices and vehicles
  [any, { serialNumber: '1001', serialNumbers: ['1001'], serial: '1001', slave: '1001' }],
  [any, { device: '1001', devices: ['1001'], family: 'kessv2', engine: 'Recodery' }],
  [any, { 'engine.name': 'Recodery', productName: 'Recodery', protocolID: '1234' }],
  [any, { protocolName: 'EDC17C64', 'protocol.name': 'EDC17C64', imp: 'EDC17C64', spare: 'EDC17' }],
  [any, { system: 'EDC17', plate: 'AB123CD', vehicleMake: 'Volkswagen' }],
  [any, { vehicleModel: 'Golf 2.0 TDI', vin: 'WVWZZZ1KZAW000001', hardware: '0281013226' }],
  [any, { hardwareVersion: '0281013226', software: '03G906021KE', softwareVersion: '03G906021KE' }],
  [any, { softwareDate: '2009-11-20', softwareUpgrade: '03G906021KE' }],
  // addresses
  [any, { callbackURL: 'https://workshop.example.org/hook' }],
  [any, { targetURL: 'https://workshop.example.org/hook', signInURL: `${portal}/sso/start` }],
  [any, { signOutURL: `${portal}/sso/start`, URL: fileUrl, url: fileUrl, download: fileUrl }],
  [any, { userGuide: { en: `${portal}/guide/en` }, dashboard: portal, privacy: portal }],
  [any, { cookies: portal, terms: portal, support: portal, portal }],
  // files and texts
  [any, { part: 'modified', component: 'modified' }],
  [any, { modifiedFile: 'the bytes of read-1001-modified.bin' }],
  [any, { job: 'the line that describes job 1001, and the bytes of its files' }],
  [any, { originalFile: 'the bytes of read-1001-original.bin' }],
  [any, { file: 'the bytes of read-1001.tfc', nameFormat: '{readFileName}' }],
  [any, { encodedAs: 'read-1001.encoded.moc', resultName: 'read-1001.encoded.moc' }],
  [any, { targetURLFileName: 'read-1001.encoded.moc', decodedFileName: 'read-1001.decoded.bin' }],
  [any, { idFileName: 'read-1001.id.txt', 'nameTray.name': 'Monday' }],
  [any, { name: 'read-1001.tfc', fileType: 'Decoded', base: '80000000' }],
  [any, { note: 'Ready for the test drive.', message: 'Ready for the test drive.' }],
  [any, { text: 'Ready for the test drive.', search: 'golf' }],
  [/^serviceStatus\./, { logo: '/api/logo/5f2c9a1b0e4d' }],
  [/^serviceStatus\./, { companyLines: ['Rossi Tuning, Via Roma 1, Milano'] }],
  [any, { version: '0.9.0', getOpenApi: { openapi: '3.1.0' } }],
  [any, { getEncodingApiDocument: { openapi: '3.1.0' } }],
];
