/** What `argon status` says of a package, in the few words of a status bar. Nothing here knows the editor. */

/** The part of the answer that is told. */
export interface Status {
  readonly artifact?: { readonly exists?: boolean; readonly moduleHash?: string | null; readonly tier?: string | null };
  readonly sourceDirty?: boolean;
  readonly store?: { readonly exists?: boolean; readonly generation?: number };
}

/** Words and their explanation. */
export interface Told {
  readonly text: string;
  readonly tooltip: string;
}

const SHOWN_CHARACTERS = 8;

/** `4b7ff9f8 ●`: the module's hash, a mark when the sources are others by now. */
export function toldOf(status: Status): Told {
  const hash = status.artifact?.moduleHash;
  if (status.artifact?.exists !== true || hash === undefined || hash === null) {
    return { text: "not built", tooltip: "No artifact yet: Argon: Build the Package makes one." };
  }
  const dirty = status.sourceDirty === true;
  const lines = [
    `Module ${hash}`,
    ...(status.artifact.tier === undefined || status.artifact.tier === null ? [] : [`Tier ${status.artifact.tier}`]),
    ...(status.store?.exists === true ? [`Store at generation ${String(status.store.generation ?? 0)}`] : []),
    dirty ? "The saved sources differ from it: Argon: Build the Package." : "Built from the saved sources.",
  ];
  return { text: `${hash.slice(0, SHOWN_CHARACTERS)}${dirty ? " ●" : ""}`, tooltip: lines.join("\n") };
}

/** The answer of `argon status --json`; undefined for anything else. */
export function read(text: string): Status | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null && "artifact" in found ? (found as Status) : undefined;
  } catch {
    return undefined;
  }
}
