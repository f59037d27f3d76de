// @ts-check
// Looks up the names of people.

import { call } from './api.js';
import { who } from './words.js';

/** Returns the profile of a user, from one of the user's investigations. @param {string} user */
export async function profileOf(user) {
  const found = await call('GET', `/api/investigation?author=${encodeURIComponent(user)}&limit=1`).catch(() => null);
  return found?.data.items[0]?.author;
}

/** Returns the name of somebody who changed an investigation. @param {string} by @param {import('./doc.js').Doc} doc */
export async function nameOf(by, doc) {
  const { author } = doc.stored;
  return who(by, author?.id === by ? author : await profileOf(by));
}
