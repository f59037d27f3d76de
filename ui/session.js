// @ts-check
// Who is signed in: a token, kept for this tab alone. A link carries it in the fragment, which browsers do not send.

const KEY = 'fieldbook.token';

/** Takes a token from the address, and takes it out of the address. */
export function takeFromAddress() {
  const given = /^#token=([^&]+)/.exec(location.hash);
  if (!given) return;
  sessionStorage.setItem(KEY, decodeURIComponent(given[1] ?? ''));
  history.replaceState(null, '', `${location.pathname}#/`);
}

/** @returns {string | null} */
export function token() {
  return sessionStorage.getItem(KEY);
}

/** @param {string} text */
export function signIn(text) {
  sessionStorage.setItem(KEY, text.trim());
}

export function signOut() {
  sessionStorage.removeItem(KEY);
}

/** The id of the user whom the token names, where it names one. @returns {string | null} */
export function user() {
  try {
    const claims = (token() ?? '').split('.')[1] ?? '';
    const text = atob(claims.replaceAll('-', '+').replaceAll('_', '/'));
    const { userId, sub } = JSON.parse(text);
    const id = String(userId ?? sub ?? '').toLowerCase();
    return /^[0-9a-f]{24}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}
