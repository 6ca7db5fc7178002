/** The program of an engine process: works on files in its folder with the codec. */
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { getCodec } from '@recodery/codec/families/registry';
import { explainMisfit, isSimilar } from '@recodery/codec/recoding/explain-misfit';
import { checkSize } from '@recodery/codec/recoding/image-checks';
import { recognizeImage } from '@recodery/codec/recognition/recognize';
import { preflightChecks } from '@recodery/codec/preflight/preflight';
import { correctWithReport } from '@recodery/codec/known-checksums/known-checksums';
import { compareImages } from '@recodery/codec/compare';
import { CodecError } from '@recodery/codec/errors';
import type { Room } from '@recodery/codec/container/sealing';
import { makeWorkspace } from '@recodery/codec/workspace';
import { workflowOf } from '@recodery/contract/families/registry';
import {
  type CheckAnswer,
  type CheckModifiedTask,
  type CheckOriginalTask,
  type CorrectAnswer,
  type CorrectTask,
  type DecodeAnswer,
  type DecodeTask,
  type DiagnoseAnswer,
  type DiagnoseTask,
  type EncodeAnswer,
  type EncodeTask,
  type EngineAnswer,
  type EngineMessage,
  type EngineTask,
  machineFaultOf,
  type PreflightFindings,
  type PreflightTask,
  type RecognizeAnswer,
  type RecognizeTask,
} from './task.ts';

// One task after the other: the memory of the previous one is reused.
const { allocate, reset, collect } = makeWorkspace();
// the bytes of a read are read only for one task: working in place keeps a 64 MiB file below the memory limit
const room: Room = { allocate, collect, mayOverwriteFile: true };

/** Reads a whole file into the workspace. */
function readWhole(path: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const bytes = allocate(fstatSync(file).size);
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(file, bytes, at, bytes.length - at, null);
      if (read === 0) throw new Error('a file shrank while it was read');
      at += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

function decode(task: DecodeTask): DecodeAnswer {
  const { workflow, pairKey, skipChecksum } = task;
  const file = readWhole(task.filePath);
  const {
    header: _,
    checksums: __,
    components,
    ...facts
  } = getCodec(workflow).decode({
    file,
    pairKey,
    skipChecksum,
    ...room,
  });
  return {
    ...facts,
    components: components.map(({ bytes, ...component }) => {
      writeFileSync(join(task.outFolder, `${component.name}.bin`), bytes);
      return { ...component, size: bytes.length };
    }),
  };
}

function encode(task: EncodeTask): EncodeAnswer {
  const { workflow, filePath, modified, originalPath, outPath, kind: _, ...rest } = task;
  const { sealed, checksums } = getCodec(workflow).encode({
    ...rest,
    file: readWhole(filePath),
    modified: modified.map(({ name, path }) => ({ name, bytes: readWhole(path) })),
    original: originalPath === null ? null : readWhole(originalPath),
    ...room,
  });
  const out = openSync(outPath, 'w');
  try {
    for (const piece of sealed.pieces()) writeFileSync(out, piece);
  } finally {
    closeSync(out);
  }
  const correctedChecksums = checksums.filter(({ state }) => state === 'ok').length;
  return { size: sealed.size, correctedChecksums };
}

function checkModified({
  workflow,
  decodedPath,
  imagePath,
  ...place
}: CheckModifiedTask): CheckAnswer {
  const decoded = decodedPath === null ? null : readWhole(decodedPath);
  const modified = readWhole(imagePath);
  const { protocolId } = place;
  if (protocolId === null) checkSize(place.component, modified, decoded);
  else getCodec(workflow).checkModified({ ...place, protocolId, decoded, modified });
  if (decoded === null) return { changes: null, isSimilar: true };
  const { strip, ...changes } = compareImages(decoded, modified);
  return { changes: { ...changes, spans: strip }, isSimilar: isSimilar(decoded, modified) };
}

function checkOriginal({
  workflow,
  decodedPath,
  imagePath,
  ...place
}: CheckOriginalTask): CheckAnswer {
  const decoded = decodedPath === null ? null : readWhole(decodedPath);
  const original = readWhole(imagePath);
  const { protocolId } = place;
  if (protocolId === null) checkSize(place.component, original, decoded);
  else getCodec(workflow).checkOriginal({ ...place, protocolId, decoded, original });
  return { changes: null, isSimilar: decoded === null || isSimilar(decoded, original) };
}

/** Explains why an image does not fit, and writes the repair. */
function diagnose({ workflow, outPath, ...task }: DiagnoseTask): DiagnoseAnswer {
  const { family } = workflowOf(workflow);
  const finding = explainMisfit(family, {
    ...task,
    upload: readWhole(task.imagePath),
    decoded: task.decodedPath === null ? null : readWhole(task.decodedPath),
    others: task.others.map(({ name, path }) => ({ name, image: readWhole(path) })),
  });
  if (!finding?.repair) return { finding: finding && { ...finding, repair: null } };
  const { bytes, ...repair } = finding.repair;
  writeFileSync(outPath, bytes);
  const sha256 = hash('sha256', bytes);
  return { finding: { ...finding, repair: { ...repair, size: bytes.length, sha256 } } };
}

function recognize({ images }: RecognizeTask): RecognizeAnswer {
  return {
    images: images.map(({ name, path }) => ({
      name,
      recognition: recognizeImage(readWhole(path)),
    })),
  };
}

function checkInputs({ workflow, ...task }: PreflightTask): PreflightFindings {
  const readMaybe = (path: string | null) => (path === null ? null : readWhole(path));
  const components = task.components.map(({ name, decodedPath, modifiedPath }) => ({
    name,
    decoded: readMaybe(decodedPath),
    modified: readMaybe(modifiedPath),
  }));
  const original = readMaybe(task.originalPath);
  const library = task.library && {
    component: task.library.component,
    image: readWhole(task.library.path),
  };
  const { family } = workflowOf(workflow);
  return { found: preflightChecks(family, { ...task, components, original, library }) };
}

/** Corrects an image, and writes it if that changed anything. */
function correct({ imagePath, readPath, outPath }: CorrectTask): CorrectAnswer {
  const image = readWhole(imagePath);
  const found = correctWithReport(image, readPath === null ? null : readWhole(readPath));
  if (found === null) return { correction: null };
  const { corrected, ...correction } = found;
  if (correction.bytes > 0) writeFileSync(outPath, corrected);
  const sha256 = hash('sha256', corrected);
  const parts = [...correction.parts];
  return { correction: { ...correction, parts, sha256, size: corrected.length } };
}

function run(task: EngineTask): EngineAnswer {
  switch (task.kind) {
    case 'decode':
      return decode(task);
    case 'encode':
      return encode(task);
    case 'check-modified':
      return checkModified(task);
    case 'check-original':
      return checkOriginal(task);
    case 'diagnose':
      return diagnose(task);
    case 'recognize':
      return recognize(task);
    case 'preflight':
      return checkInputs(task);
    case 'correct':
      return correct(task);
  }
}

/**
 * The result of a task. Errors must be caught here, because the parent process cannot catch them.
 * @public `entry.ts` imports it by the path of the program
 */
export function workOn(task: EngineTask): EngineMessage {
  reset();
  try {
    return { kind: 'answer', answer: run(task) };
  } catch (error) {
    if (error instanceof CodecError) {
      const { internalCode, detail, sizes } = error;
      return { kind: 'fault', internalCode, detail, sizes };
    }
    const stack = error instanceof Error ? String(error.stack) : String(error);
    return { kind: 'failure', stack, code: machineFaultOf(error) };
  }
}
