// @ts-check
// The shared context of the parts of an editor: the lesson, its schema, and navigation in the form.

import { focusable } from '../core/dom.js';
import { nearest } from './control.js';
import { content } from '../core/schema.js';
import { differences } from '../text/diff.js';
import { dotted } from '../text/values.js';

export class Desk {
  /**
   * @param {import('../doc/doc.js').Doc} doc @param {any} root the whole schema
   * @param {HTMLElement} paper with the form @param {AbortSignal} left
   * @param {boolean} converses whether a language model is set up
   */
  constructor(doc, root, paper, left, converses) {
    this.doc = doc;
    this.root = root;
    this.paper = paper;
    this.left = left;
    this.converses = converses;
  }

  /** Moves the focus to the control at a path, and scrolls to it. @param {string} path */
  go(path) {
    const found = nearest(this.paper, path);
    if (!found) return;
    found.scrollIntoView({
      block: 'center',
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    });
    focusable(found).focus({ preventScroll: true });
  }

  /** Moves the focus to the control at a path, for writing. An empty list gets its first row. @param {string} path */
  begin(path) {
    this.go(path);
    const at = document.activeElement;
    const isAdd = at?.matches('.add') && at.closest('[data-path]') === nearest(this.paper, path);
    if (isAdd) at?.dispatchEvent(new Event('begin'));
  }

  /** Moves the focus to the first place of a finding, and opens the card of the finding. @param {any} finding */
  open({ fieldName, evidence, reason }) {
    this.go(evidence[0]?.fieldPath ?? fieldName);
    const card = this.paper.querySelector(`.finding[data-reason="${CSS.escape(reason)}"]`);
    if (card instanceof HTMLDetailsElement) card.open = true;
  }

  /** Scrolls to the first value that differs from an earlier state, unless it is visible. @param {any} before */
  showFirst(before) {
    const [first] = differences(content(before), content(this.doc.stored));
    if (first) this.show(dotted(first.path));
  }

  /** Scrolls to the control at a path, unless it is visible. @param {string} path */
  show(path) {
    nearest(this.paper, path)?.scrollIntoView({ block: 'nearest' });
  }
}
