// @ts-check
// Where a link lies.

import { service } from './api.js';

/** @typedef {{ key: string, subLink: string }} LinkName */

/** Where programs find a link. @param {LinkName} link @param {string} [rest] */
export function path({ key, subLink }, rest = '') {
  return `/api/link/${encodeURIComponent(key)}/${encodeURIComponent(subLink)}${rest}`;
}

/** A part of an address from words: “Class 6c” becomes class-6c. @param {string} words */
export function partOf(words) {
  const text = words.trim();
  if (/^[A-Za-z0-9_-]*$/.test(text)) return text.slice(0, 64);
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return plain
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
}

/** Its address for people: the one by which the service is known outside, as in the QR code. @param {LinkName} link */
export async function address({ key, subLink }) {
  const { publicUrl } = await service();
  return `${publicUrl ?? location.origin}/l/${encodeURIComponent(key)}/${encodeURIComponent(subLink)}`;
}
