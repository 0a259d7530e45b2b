"""A report as HTML, for a notebook's output.

In flows a `Report`; out flows one self-contained fragment: text of the user's is escaped, colours
follow the page's light or dark theme, nothing is loaded from anywhere.
"""

from __future__ import annotations

import re
from html import escape

from glassgrad.checks.report import Problem, Report

STYLE = """
.gg-check{--gg-bad:#b42318;--gg-note:#8a5a00;--gg-good:#18794e;--gg-line:#8a94a3;font-size:14px;
line-height:1.5;max-width:60em}
@media (prefers-color-scheme:dark){.gg-check{--gg-bad:#ff8a80;--gg-note:#f0b35a;--gg-good:#6fd3a1}}
[data-jp-theme-light=true] .gg-check{--gg-bad:#b42318;--gg-note:#8a5a00;--gg-good:#18794e}
[data-jp-theme-light=false] .gg-check{--gg-bad:#ff8a80;--gg-note:#f0b35a;--gg-good:#6fd3a1}
.gg-check ul{list-style:none;padding:0;margin:.5em 0}
.gg-check li{border-left:3px solid var(--gg-line);padding:.1em .8em;margin:.6em 0}
.gg-check li.gg-bad{border-color:var(--gg-bad)}.gg-check li.gg-note{border-color:var(--gg-note)}
.gg-check b{font-weight:600}.gg-check .gg-bad>b{color:var(--gg-bad)}
.gg-check .gg-note>b{color:var(--gg-note)}.gg-check .gg-good{color:var(--gg-good)}
.gg-check .gg-where{float:right;opacity:.75}.gg-check code{font-size:.95em;background:none}
.gg-check svg{max-width:100%;height:auto;background:#fff;border-radius:6px}
"""


def report_html(report: Report) -> str:
    """Return a report as an HTML fragment.

    Examples
    --------
    >>> "&lt;b&gt;" in report_html(Report("<b>", ()))
    True
    """
    mark = '<span class="gg-good">✓</span> ' if report.passed else ""
    items = "".join(map(_item, (*report.problems, *report.notes)))
    rest = f"<p>Not checked: {escape(', '.join(report.unchecked))}.</p>" if report.unchecked else ""
    return (
        f'<div class="gg-check"><style>{STYLE}</style><div>{mark}<b>{escape(report.summary)}</b>'
        f"</div><ul>{items}</ul>{rest}{_picture(report)}</div>"
    )


def _item(problem: Problem) -> str:
    where = problem.where
    line = "" if where.line is None else f"{escape(where.file)}, line {where.line}".strip(", ")
    code = f"<div><code>{escape(where.text)}</code></div>" if where.text else ""
    evidence = f"<div>{escape(problem.evidence)}</div>" if problem.evidence else ""
    slip = f"<div>{_prose(problem.slip)}</div>" if problem.slip else ""
    return (
        f'<li class="{"gg-bad" if problem.fails else "gg-note"}">'
        f'<span class="gg-where">{line}</span><b>{"✗" if problem.fails else "!"} '
        f"{escape(problem.what)}</b>{evidence}{code}{slip}</li>"
    )


def _prose(text: str) -> str:
    """Escape a sentence, and set the code in it as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _picture(report: Report) -> str:
    """Return the picture where something is wrong and something can draw it."""
    if report.passed or not report.marks:
        return ""
    from glassgrad.render.picture import NoProgramError

    dot = report.to_dot()
    try:
        svg: str = dot.pipe(format="svg", encoding="utf-8") if dot is not None else ""
    except NoProgramError:
        return ""
    return svg[svg.index("<svg") :] if "<svg" in svg else ""
