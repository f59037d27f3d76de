// @ts-check
// Lists and limits of the service. The service writes them into index.html.

/**
 * @typedef {{ systemFields: string[], statusesByHand: string[], maxPage: number, maxEntries: number, maxReason: number,
 *   maxVersionName: number, maxLinkName: number, maxLinkDescription: number, presenceSeconds: number }} Constants
 * @type {Constants}
 */
const constants = JSON.parse(document.getElementById('constants')?.textContent ?? '');

export const {
  /** The fields of the service itself, which are not content. */
  systemFields,
  /** The statuses that a person sets. */
  statusesByHand,
  /** Maximum number of investigations that the service returns at once. */
  maxPage,
  /** Maximum number of entries of other collections, such as versions, that the service returns at once. */
  maxEntries,
  /** Maximum lengths of texts, in characters. */
  maxReason,
  maxVersionName,
  maxLinkName,
  maxLinkDescription,
  /** Time after which the service forgets a user who does not say again that an investigation is open. */
  presenceSeconds,
} = constants;
