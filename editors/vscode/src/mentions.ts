/** True if a text has a citekey, and not only within a longer one.  A stop that ends a sentence is no part of a key. */
export function mentions(text: string, key: string): boolean {
  return new RegExp(`(?<![\\w.-])${key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![:.-]*\\w)`).test(text);
}
