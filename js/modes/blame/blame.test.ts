import { describe, expect, it } from "vitest";
import { plainText } from "../../phrases";
import type { Moment } from "../mode";
import { at, recorded } from "../recorded";
import { sayVerdict } from "./says";
import { blame, suspects } from "./trace";

const told = (moment: Moment, label: string): string =>
  plainText(sayVerdict(moment, blame(moment, at(moment, label))));

const causeOf = (moment: Moment, label: string) => {
  const { cause, at: place, route } = blame(moment, at(moment, label));
  return [cause, moment.structure.nodes.label[place], route.length];
};

/** `y = relu(x * w) * v`, dead. */
const DEAD = recorded((p) => {
  const z = p.of("z", "mul", p.leaf("x", -2), p.leaf("w", 3, "parameter"));
  p.of("y", "mul", p.of("h", "relu", z), p.leaf("v", 2));
});

describe("a gradient of 0", () => {
  it("is followed to a dead relu", () => {
    expect(causeOf(DEAD, "w")).toEqual(["dead relu", "h", 2]);
    expect(told(DEAD, "w")).toBe(
      "w.grad is 0 because h is a relu and its input z was −6: relu passes no gradient below 0, so nothing behind it learns from this example.",
    );
  });

  it("is told from the data of the dead relu itself", () => {
    const { structure, numbers } = DEAD;
    expect(numbers.grad[at(DEAD, "h")]).toBe(2);
    expect(structure.nodes.rule[at(DEAD, "h")]).toBe("relu");
    expect(told(DEAD, "h")).toBe(
      "h is 0 because its input was −6; relu passes no gradient below 0, so nothing behind it learns from this example.",
    );
  });

  it("is followed to a factor of exactly 0", () => {
    expect(causeOf(DEAD, "v")).toEqual(["zero factor", "y", 1]);
    expect(told(DEAD, "v")).toBe(
      "v.grad is 0 because in y the other factor, h, is exactly 0: whatever is multiplied by it changes nothing.",
    );
  });

  it("is followed to a tanh that is flat to the last digit", () => {
    const moment = recorded((p) =>
      p.of("t", "tanh", p.of("z", "mul", p.leaf("x", 10), p.leaf("w", 4))),
    );
    expect(causeOf(moment, "w")).toEqual(["saturated", "t", 2]);
    expect(told(moment, "w")).toBe(
      "w.grad is 0 because t is saturated: at an input of 40 (z) it is 1, so flat that its slope is 0.",
    );
  });

  it("is followed to another slope of 0", () => {
    const moment = recorded((p) => p.of("s", "sign", p.leaf("x", 3)));
    expect(told(moment, "x")).toBe(
      "x.grad is 0 because s does not change with x where that is 3: its slope there is 0.",
    );
  });

  it("may be two contributions that cancel", () => {
    const moment = recorded((p) => {
      const x = p.leaf("x", 3);
      p.of("y", "sub", p.of("p", "mul", x, p.leaf("k", 2)), p.of("q", "mul", x, p.leaf("m", 2)));
    });
    expect(causeOf(moment, "x")).toEqual(["cancel", "x", 0]);
    expect(told(moment, "x")).toBe(
      "x.grad is 0 because its contributions add up to 0: −2 from q and 2 from p.",
    );
  });

  it("may be a product below the smallest number", () => {
    const moment = recorded((p) => {
      const x = p.leaf("x", 1);
      const a = p.of("a", "mul", x, p.leaf("k", 1e-200));
      p.of("y", "mul", a, p.leaf("m", 1e-200));
    });
    expect(causeOf(moment, "x")).toEqual(["underflow", "a", 1]);
  });

  it("says how many other routes end as well", () => {
    const moment = recorded((p) => {
      const x = p.leaf("x", -1);
      p.of("y", "add", p.of("h", "relu", x), p.of("g", "relu", x));
    });
    expect(told(moment, "x")).toContain("The other route is stopped as well.");
  });

  it("is told from a backward that did not come", () => {
    const moment = recorded((p) => p.of("y", "mul", p.leaf("x", 2), p.leaf("w", 3)), {
      grad: { x: 0 },
    });
    expect(told(moment, "x")).toMatch(
      /^x\.grad is 0, but its slopes give 3: backward\(\) has not come/,
    );
  });

  it("repeats where a value on the route left the graph", () => {
    const note = "h left the graph at line 4: float(h) is a number that no longer remembers it.";
    const moment = recorded(
      (p) => {
        const h = p.of("h", "mul", p.leaf("w", 2), p.leaf("x", 1));
        p.of("y", "mul", h, p.leaf("gate", 0));
      },
      { note: { h: note } },
    );
    expect(told(moment, "w")).toContain(note);
  });
});

describe("a gradient that is tiny or huge", () => {
  it("is the product of many small slopes", () => {
    const moment = recorded((p) => {
      let v = p.of("z", "mul", p.leaf("w", 4), p.leaf("x", 1));
      for (let layer = 0; layer < 3; layer++) {
        v = p.of(`h${layer}`, "tanh", v);
        v = p.of(`s${layer}`, "mul", v, p.leaf(`k${layer}`, 3));
      }
    });
    expect(causeOf(moment, "w")[0]).toBe("vanishing");
    expect(told(moment, "w")).toMatch(
      /^w\.grad is \S+: the 7 slopes on its main way from s2 multiply to that; the smallest are \S+ at h0, saturated at 0\.9993 and \S+ at h\d/,
    );
  });

  it("is the product of large ones", () => {
    const moment = recorded((p) => {
      let v = p.leaf("x", 1);
      for (let at = 0; at < 5; at++) v = p.of(`y${at}`, "mul", v, p.leaf(`k${at}`, 20));
    });
    expect(told(moment, "x")).toMatch(
      /^x\.grad is 3\.2e6: the 5 slopes on its main way from y4 multiply to that; the largest are 20 at y0 and 20 at y1\.$/,
    );
  });

  it("may be a single slope", () => {
    const moment = recorded((p) => p.of("y", "div", p.leaf("a", 1), p.leaf("b", 1e-5)));
    expect(told(moment, "a")).toBe(
      "a.grad is 100000: that is the slope on its way from y; the largest is 100000 at y.",
    );
  });

  it("may be an old amount that is left", () => {
    const moment = recorded((p) => p.of("y", "mul", p.leaf("x", 2), p.leaf("w", 3)), {
      grad: { x: 50_000 },
    });
    expect(told(moment, "x")).toContain("but its slopes give 3: the rest was there before");
  });
});

describe("what is not finite", () => {
  const LOG = recorded((p) => {
    const a = p.leaf("a", 0);
    p.of("y", "mul", p.of("l", "log", a), a);
  });

  it("is followed from data to the first of it", () => {
    const moment = recorded((p) => {
      const l = p.of("l", "log", p.leaf("a", 0));
      p.of("y", "add", p.of("m", "add", l, p.leaf("b", 1)), p.leaf("c", 1));
    });
    expect(causeOf(moment, "y")).toEqual(["first non-finite", "l", 2]);
    expect(told(moment, "y")).toBe(
      "y is −inf because of l: log(0) = −inf is the first value that is not finite, made from numbers that are.",
    );
  });

  it("is followed from a gradient to the data that spoiled it", () => {
    expect(causeOf(LOG, "a").slice(0, 2)).toEqual(["first non-finite", "l"]);
    expect(told(LOG, "a")).toContain("a.grad is nan because of l: log(0) = −inf is the first");
  });

  it("is nan where 0 meets inf", () => {
    expect(causeOf(LOG, "y")).toEqual(["zero times inf", "y", 0]);
    expect(told(LOG, "y")).toBe("y is nan: −inf × 0, and 0 × inf has no value.");
  });

  it("is nan where inf is taken from inf", () => {
    const moment = recorded((p) => {
      const big = p.of("e", "exp", p.leaf("x", 1000));
      p.of("d", "sub", big, p.of("f", "exp", p.leaf("z", 1000)));
    });
    expect(causeOf(moment, "d")).toEqual(["inf minus inf", "d", 0]);
    expect(causeOf(moment, "e")).toEqual(["first non-finite", "e", 0]);
  });

  it("may have come in like that", () => {
    const moment = recorded((p) => p.of("y", "mul", p.leaf("x", Number.NaN), p.leaf("w", 2)));
    expect(told(moment, "x")).toBe("x is nan: it came in like that, nothing here made it.");
    expect(told(moment, "y")).toBe("y is nan because x was nan from the start.");
    expect(causeOf(moment, "w")).toEqual(["given", "x", 2]);
  });

  it("may be a slope without bound", () => {
    const moment = recorded((p) => p.of("r", "sqrt", p.leaf("x", 0)));
    expect(told(moment, "x")).toBe("x.grad is inf because the slope of r has no bound at x = 0.");
  });

  it("may be 0 times such a slope", () => {
    const moment = recorded((p) =>
      p.of("y", "mul", p.of("r", "sqrt", p.leaf("x", 0)), p.leaf("k", 0)),
    );
    expect(told(moment, "x")).toBe(
      "x.grad is nan because at r a 0 meets an infinite slope, and 0 × inf has no value.",
    );
  });

  it("may grow out of every bound by itself", () => {
    const moment = recorded((p) => {
      const x = p.leaf("x", 1);
      p.of("y", "mul", p.of("a", "mul", x, p.leaf("k", 1e200)), p.leaf("m", 1e200));
    });
    expect(blame(moment, at(moment, "x")).value).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("what is in order", () => {
  const FINE = recorded((p) => p.of("y", "mul", p.leaf("x", 2), p.leaf("w", 3)));

  it("is said to be", () => {
    expect(told(FINE, "x")).toBe("x.grad is 3: an ordinary number, and nothing is to blame.");
    expect(told(FINE, "y")).toBe("y.grad is 1, as it should be: the result starts with 1.");
    expect(suspects(FINE)).toEqual([]);
  });

  it("is told from what is unknown", () => {
    const moment = recorded((p) => p.odd("t", p.leaf("x", 2), 3, null), { ran: false });
    expect(causeOf(moment, "x")[0]).toBe("unknown");
  });
});

describe("suspects", () => {
  it("are the values worth a question, from the result on", () => {
    const names = suspects(DEAD).map((node) => DEAD.structure.nodes.label[node]);
    expect(names).toEqual(["v", "z", "w", "x"]);
  });
});
