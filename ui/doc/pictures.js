// @ts-check
// The pictures of an investigation in an editor. Their bytes are kept in this browser, and are sent separately from the
// text, one picture at a time. A reference is stored once the service has its picture.

import { Failure, call, investigation, wordsOf } from '../core/api.js';
import * as bytes from './picture_bytes.js';
import { draftId, idsIn, isDraft, withIds } from '../text/picture_refs.js';

/** Client error statuses after which the same request may succeed later. */
const MAY_PASS = [401, 403, 404, 408, 429];
/** Maximum size of a file that the service accepts, and the longer side to which larger pictures are reduced. */
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_SIDE = 3200;
const LOST = 'This browser does not have the picture any more. Remove it, or choose it again.';

/** The ids that the service gave to pictures, by their ids in the draft. @type {Map<string, string>} */
const given = new Map();
/** Addresses of kept bytes, by id in the draft. @type {Map<string, string>} */
const addresses = new Map();
/** Requests that are being sent, by id in the draft. Two editors of an investigation share them. */
const uploads = /** @type {Map<string, Promise<string>>} */ (new Map());

/** Returns a value with the ids that the service gave to its pictures. @param {any} value */
export function named(value) {
  return withIds(value, (id) => given.get(id) ?? id);
}

/** Returns the address at which a picture is shown. @param {string} docId @param {string} id */
export function addressOf(docId, id) {
  const path = investigation(docId, `/pictures/${given.get(id) ?? id}`);
  return addresses.get(id) ?? (isDraft(id) && !given.has(id) ? null : path);
}

/** Returns true if the service will never accept a picture, even if it is sent again. @param {unknown} error */
function isRefusal(error) {
  return error instanceof Failure && error.status >= 400 && error.status < 500 && !MAY_PASS.includes(error.status);
}

/** Returns a picture that is small enough for the service. @param {Blob} blob */
async function smaller(blob) {
  const cause = await causeOf(null, blob);
  if (cause) throw cause;
  try {
    const image = await createImageBitmap(blob);
    const share = Math.min(1, MOST_SIDE / Math.max(image.width, image.height));
    const canvas = new OffscreenCanvas(Math.round(image.width * share), Math.round(image.height * share));
    const context = canvas.getContext('2d');
    if (!context) throw new TypeError('no canvas');
    // Makes the background white, because a JPEG has no transparency: black lines would become black on black.
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  } catch {
    throw new Failure(413, {
      message: 'It is larger than 10 MB or has too many pixels, and your browser cannot make it smaller',
    });
  }
}

/**
 * Returns why a picture was not sent. If the browser cannot read the file, for example in a cloud folder, it reports
 * only a network error.
 * @param {unknown} error @param {Blob} blob
 */
async function causeOf(error, blob) {
  const isRead = await blob
    .slice(0, 1)
    .arrayBuffer()
    .then(Boolean, () => false);
  return isRead ? error : new Failure(410, { message: LOST });
}

/** The pictures of one `Doc`, whose event `picture` says that the state of a picture has changed (detail: its id). */
export class Pictures {
  /** @param {import('./doc.js').Doc} doc */
  constructor(doc) {
    this.doc = doc;
    /** The bytes that are kept, by id in the draft. @type {Map<string, Blob>} */
    this.kept = new Map();
    /** Why the service refuses a picture, by id in the draft. @type {Map<string, string>} */
    this.refusals = new Map();
    /** Upload progress from 0 to 1, by id in the draft. @type {Map<string, number>} */
    this.progress = new Map();
    /** Pictures that were sent again, because the service had forgotten them. @type {Set<string>} */
    this.again = new Set();
    /** True if this browser keeps the bytes. */
    this.areKept = true;
    this.sending = /** @type {Promise<void> | null} */ (null);
  }

  /** Reads the bytes that an earlier visit has kept. */
  async load() {
    for (const { id, blob, sentAs } of await bytes.ofDoc(this.doc.id)) {
      this.hold(id, blob);
      if (sentAs) given.set(id, sentAs);
    }
  }

  /** Keeps the bytes under the id that the investigation has now. @param {string} before the id that it had */
  async moveFrom(before) {
    for (const [id, blob] of this.kept) {
      if (await bytes.keep(this.doc.id, id, blob, given.get(id))) bytes.forget(before, id);
    }
  }

  /** @param {string} id @param {Blob} blob */
  hold(id, blob) {
    this.kept.set(id, blob);
    if (!addresses.has(id)) addresses.set(id, URL.createObjectURL(blob));
  }

  /** Takes a picture that the user has chosen, and returns a reference to it. @param {Blob} blob */
  add(blob) {
    const id = draftId();
    this.hold(id, blob);
    bytes.keep(this.doc.id, id, blob).then((isKept) => {
      this.areKept = isKept;
      this.doc.tell('saving');
    });
    return { id, alt: '' };
  }

  /** Returns the fields with pictures that the service refuses. */
  get refusedFields() {
    const all = [...this.doc.mine].filter(([, value]) => idsIn(value).some((id) => this.refusals.has(id)));
    return all.map(([field]) => field);
  }

  /** Sends the pictures of the unsaved changes. Resolves when nothing more can be sent now. */
  async send() {
    if (!this.sending && !this.next()) return;
    await (this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
      this.doc.tell('saving');
    }));
  }

  async sendAll() {
    const { doc } = this;
    for (let id = this.next(); id; id = this.next()) {
      doc.tell('saving');
      try {
        given.set(id, await this.upload(id));
        doc.nameAll();
      } catch (error) {
        if (!isRefusal(error)) return doc.interrupted(error);
        this.refusals.set(id, wordsOf(error));
      } finally {
        this.progress.delete(id);
        this.tell(id);
      }
    }
    doc.flushSoon();
  }

  /** Returns the next picture to send. */
  next() {
    if (this.doc.isGone || this.doc.isOfAnother || !this.doc.isStored) return undefined;
    const ids = [...this.doc.mine.values()].flatMap(idsIn).filter((id) => isDraft(id) && !this.refusals.has(id));
    return ids.find((id) => {
      if (this.kept.has(id)) return true;
      this.refusals.set(id, LOST);
      this.tell(id);
      return false;
    });
  }

  /** Sends the bytes of a picture. @param {string} id @returns {Promise<string>} the id that the service gives to it */
  upload(id) {
    const sent = uploads.get(id) ?? this.request(id).finally(() => uploads.delete(id));
    uploads.set(id, sent);
    return sent;
  }

  /** @param {string} id */
  async request(id) {
    const blob = this.kept.get(id) ?? new Blob();
    const body = blob.type ? blob : new Blob([blob], { type: 'application/octet-stream' });
    const onSent = (/** @type {number} */ share) => {
      this.progress.set(id, share);
      this.tell(id);
    };
    onSent(0);
    const post = (/** @type {Blob} */ body) =>
      call('POST', investigation(this.doc.id, '/pictures'), { body, onSent }).catch(async (error) => {
        throw await causeOf(error, blob);
      });
    const isLarge = blob.size > MOST_BYTES;
    const { data } = await post(isLarge ? await smaller(blob) : body).catch(async (error) => {
      // The picture has more pixels than the service accepts.
      if (isLarge || !(error instanceof Failure) || error.status !== 413) throw error;
      return post(await smaller(blob));
    });
    await bytes.keep(this.doc.id, id, blob, data.id);
    return String(data.id);
  }

  /**
   * Sends pictures again that the service does not have any more, each once.
   * @param {string[]} fields that the service has refused @returns {Promise<boolean>} whether one was sent
   */
  async sendAgain(fields) {
    const ids = fields.flatMap((field) => idsIn(this.doc.mine.get(field)));
    const lost = [...this.kept.keys()].filter((id) => ids.includes(given.get(id) ?? '') && !this.again.has(id));
    for (const id of lost) {
      this.again.add(id);
      await this.upload(id);
    }
    return lost.length > 0;
  }

  /**
   * Returns the upload state of a picture: a message, and the progress. No message means that it was sent.
   * @param {string} id @returns {{ words: string, isRefused: boolean, share?: number }}
   */
  stateOf(id) {
    const refusal = this.refusals.get(id);
    if (refusal !== undefined) return { words: refusal, isRefused: true };
    if (!isDraft(id) || given.has(id)) return { words: '', isRefused: false };
    const share = this.progress.get(id);
    if (share !== undefined || !this.doc.failure) return { words: 'Sending …', isRefused: false, share: share ?? 0 };
    const kept = this.areKept ? 'It is kept in this browser' : 'Do not close this window';
    return { words: `Not sent yet. ${kept}.`, isRefused: false };
  }

  /** Forgets the bytes of pictures that a stored value refers to. @param {any} value */
  settle(value) {
    const ids = idsIn(value);
    for (const id of this.kept.keys()) {
      if (!ids.includes(given.get(id) ?? '')) continue;
      this.kept.delete(id);
      URL.revokeObjectURL(addresses.get(id) ?? '');
      addresses.delete(id);
      bytes.forget(this.doc.id, id);
    }
  }

  /** @param {string} id */
  tell(id) {
    this.doc.tell('picture', id);
  }
}
