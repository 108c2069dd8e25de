const FITS = 70; // characters that a toast without buttons shows

/** The first sentence, or the words of it that fit. */
export function shortened(message: string): string {
  if (message.length <= FITS) {
    return message;
  }
  const sentence = /^.*?[.!?](?=\s)/s.exec(message)?.[0] ?? message;
  if (sentence.length <= FITS) {
    return sentence;
  }
  const words = sentence.slice(0, FITS);
  return `${words.slice(0, Math.max(words.lastIndexOf(" "), FITS / 2)).replace(/[\s,;:]+$/, "")}…`;
}
