// @ts-check
// The addresses of a link.

/** @typedef {{ key: string, subLink: string }} LinkName */

/** Hosts that other devices cannot reach. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns true if other devices cannot reach an address. @param {string} where */
export function isLocal(where) {
  return LOOPBACK.test(new URL(where, location.origin).hostname);
}

/** The message if the code of a link leads to such an address. */
export const UNREACHABLE =
  'The code leads to this computer, which phones cannot reach. ' +
  'Ask whoever runs Fieldbook to set the address for others.';

/** Returns the parts of an address as people read it: a line may end after each of them. @param {string} where */
export const readable = (where) => where.replace(/^https?:\/\//, '').split(/(?<=\/)/);

/** Returns the path of a link in the API. @param {LinkName} link @param {string} [rest] */
export function path({ key, subLink }, rest = '') {
  return `/api/link/${encodeURIComponent(key)}/${encodeURIComponent(subLink)}${rest}`;
}

/** Converts words to a part of an address: “Class 6c” becomes class-6c. @param {string} words */
export function partOf(words) {
  const text = words.trim();
  if (/^[A-Za-z0-9_-]*$/.test(text)) return text.slice(0, 64);
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return plain
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
}

/**
 * Returns the address of a link for people, as in the QR code.
 * @param {LinkName} link @param {string | null} publicUrl the public URL of the service, if it is set
 */
export function address({ key, subLink }, publicUrl) {
  return `${publicUrl ?? location.origin}/l/${encodeURIComponent(key)}/${encodeURIComponent(subLink)}`;
}
