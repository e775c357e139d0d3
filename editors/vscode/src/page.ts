/** A page of the catalog as a person reads it. Nothing here knows the editor. */

const FRONT_MATTER = /^\+\+\+\r?\n([\s\S]*?)\r?\n\+\+\+\r?\n/;

/** The Markdown of a page, with its code and title as the heading in the place of the data before it. */
export function readable(text: string): string {
  const data = FRONT_MATTER.exec(text);
  if (data === null) {
    return text;
  }
  const [code, title] = ["code", "title"].map((name) => value(data[1] ?? "", name));
  return `# ${[code, title].filter((each) => each !== undefined).join(": ")}\n${text.slice(data[0].length)}`;
}

/** A string of the data; TOML's basic strings are JSON's, as far as the catalog uses them. */
function value(data: string, name: string): string | undefined {
  const found = new RegExp(`^${name} = (".*")$`, "m").exec(data)?.[1];
  return found === undefined ? undefined : String(JSON.parse(found));
}
