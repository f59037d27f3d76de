// @ts-check
// Where a link lies.

import { service } from './api.js';

/** @typedef {{ key: string, subLink: string }} LinkName */

/** Where programs find a link. @param {LinkName} link @param {string} [rest] */
export function path({ key, subLink }, rest = '') {
  return `/api/link/${encodeURIComponent(key)}/${encodeURIComponent(subLink)}${rest}`;
}

/** Its address for people: the one by which the service is known outside, as in the QR code. @param {LinkName} link */
export async function address({ key, subLink }) {
  const { publicUrl } = await service();
  return `${publicUrl ?? location.origin}/l/${encodeURIComponent(key)}/${encodeURIComponent(subLink)}`;
}
