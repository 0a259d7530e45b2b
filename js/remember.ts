/** Answers that are given again while nothing they depend on has changed. */

/** Remembers the last answer of a function and gives it again for the same arguments. */
export function remember<Args extends readonly unknown[], Result>(
  compute: (...args: Args) => Result,
): (...args: Args) => Result {
  let last: { args: Args; result: Result } | null = null;
  return (...args) => {
    if (!last?.args.every((arg, at) => Object.is(arg, args[at]))) {
      last = { args, result: compute(...args) };
    }
    return last.result;
  };
}
