// @ts-check
// Shows the QR code of a link on the whole screen, for a projector.

import { modal } from '../core/notice.js';
import { button, el } from '../core/dom.js';
import { path, readable } from './link_address.js';
import { CLOSED, closedBecause } from './link_options.js';

/** @param {any} link @param {string} where its address */
export function project(link, where) {
  const close = () => dialog.close();
  const dialog = el(
    'dialog',
    {
      class: 'projector',
      'aria-label': 'The code of the link',
      onclick: close,
      // The first Escape leaves full-screen mode.
      onfullscreenchange: () => document.fullscreenElement || close(),
    },
    el('img', { src: path(link, '/qr.svg'), alt: `QR code of ${link.key}/${link.subLink}` }),
    closedBecause(link) && el('p', { class: 'alarm', role: 'alert' }, CLOSED),
    el(
      'p',
      { dir: 'ltr' },
      readable(where).map((part) => el('span', {}, part)),
    ),
    button('Close', close),
  );
  modal(dialog, () => document.fullscreenElement && document.exitFullscreen());
  dialog.requestFullscreen?.().catch(() => undefined);
}
