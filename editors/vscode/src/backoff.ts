/** How long to wait before a server that died is started again: 1, 2, 4, 8, 16 seconds, then not at all. */

const FIRST_SECONDS = 1;
const ATTEMPTS = 5;
/** A server that ran this long was sound: its death is the first of a new row. */
const SOUND_MILLISECONDS = 60_000;

export class Backoff {
  #deaths = 0;

  /** One more death, of a server that ran for `lived` milliseconds; the seconds to wait, or undefined to give up. */
  died(lived: number): number | undefined {
    this.#deaths = lived >= SOUND_MILLISECONDS ? 1 : this.#deaths + 1;
    return this.#deaths > ATTEMPTS ? undefined : FIRST_SECONDS * 2 ** (this.#deaths - 1);
  }

  /** Somebody asked for a start: nothing is held against the server any more. */
  forget(): void {
    this.#deaths = 0;
  }
}
