// @ts-check
// Keeps the bytes of unsaved pictures in this browser, next to the drafts of the text. They belong to the user, as the
// drafts do.

import * as drafts from './drafts.js';

const STORE = 'pictures';
/** Time for which bytes that no draft mentions are kept, because the user can undo the removal of a picture. */
const UNUSED_MS = 24 * 60 * 60 * 1000;

/**
 * `id` is the id in the draft, and `sentAs` the id that the service gave to the picture.
 * @typedef {{ user: string, docId: string, id: string, blob: Blob, at: number, sentAs?: string }} Bytes
 */

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** @returns {Promise<IDBDatabase>} */
function database() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('fieldbook', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ['user', 'docId', 'id'] });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Runs one request in a separate transaction.
 * @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>} rejects if the browser does not let the page store anything
 */
async function within(mode, act) {
  const db = await (opened ??= database());
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Returns the keys of the user, or of one investigation. @param {...string} path */
function keys(...path) {
  const start = [drafts.who(), ...path];
  // As a part of a key, an array sorts after all texts.
  return IDBKeyRange.bound(start, [...start, []]);
}

/**
 * Keeps the bytes of a picture.
 * @param {string} docId @param {string} id @param {Blob} blob @param {string} [sentAs]
 * @returns {Promise<boolean>} false if this browser cannot keep them
 */
export async function keep(docId, id, blob, sentAs) {
  /** @type {Bytes} */
  const record = { user: drafts.who(), docId, id, blob, at: Date.now(), ...(sentAs ? { sentAs } : {}) };
  return within('readwrite', (store) => store.put(record)).then(
    () => true,
    () => false,
  );
}

/** Returns the kept pictures of an investigation. @param {string} docId @returns {Promise<Bytes[]>} */
export async function ofDoc(docId) {
  return within('readonly', (store) => store.getAll(keys(docId))).catch(() => []);
}

/** Forgets a picture. @param {string} docId @param {string} id */
export async function forget(docId, id) {
  await within('readwrite', (store) => store.delete([drafts.who(), docId, id])).catch(() => undefined);
}

/** Discards the pictures of the user. */
export async function discardOwn() {
  await within('readwrite', (store) => store.delete(keys())).catch(() => undefined);
}

/** Discards pictures that no draft mentions any more. */
export async function sweep() {
  /** @type {Bytes[]} */
  const all = await within('readonly', (store) => store.getAll()).catch(() => []);
  for (const { user, docId, id, sentAs, at } of all) {
    const isUsed = Date.now() - at < UNUSED_MS || drafts.mention(id) || (sentAs && drafts.mention(sentAs));
    if (!isUsed) await within('readwrite', (store) => store.delete([user, docId, id])).catch(() => undefined);
  }
}
