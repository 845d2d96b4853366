"""Values and texts that a record file may hold, for tests of the parser, the layout and the pointers."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

ODD_TEXT = [
    *[
        "",
        " ",
        "\n",
        "\n\n",
        "a\n",
        "\na",
        " a",
        "a ",
        "a\n b",
        " a\nb",
        "a \nb",
        "a\n\n",
        "a\r\nb",
        "\t",
        "a\tb",
    ],
    *[
        "yes",
        "no",
        "on",
        "off",
        "y",
        "n",
        "True",
        "FALSE",
        "null",
        "Null",
        "~",
        "true",
        "false",
        "NULL",
        "=",
        "<<",
    ],
    *[
        "1",
        "-1",
        "1.5",
        "1e5",
        "010",
        "0x1F",
        "0o17",
        "1_000",
        "+5",
        ".5",
        "5.",
        ".inf",
        ".nan",
        "1234567e12",
    ],
    *["12:30:45", "1:30", "2025-01-02", "2025-01-02T10:00:00Z", "2025-01-02 10:00", "1,000", "0.6.3", "١٢"],
    *[
        "-",
        "- a",
        "--",
        "---",
        "--- a",
        "...",
        "... a",
        "?",
        "? a",
        "?a",
        ":",
        ": a",
        ":a",
        "a:",
        "a: b",
        "a:b",
    ],
    *[
        "#",
        "# a",
        "a #b",
        "a#b",
        "a # b",
        "[",
        "]",
        "{",
        "}",
        ",",
        "a, b",
        "a]",
        "{a}",
        "[a",
        "&a",
        "*a",
        "!a",
    ],
    *["|", "|-", ">", ">-", "%", "%a", "@a", "`a`", "'", '"', "'a'", '"a"', "\\", "\\n", "a\\", "it's"],
    *["https://a.b/c?d=e:f", "\0", "\x07", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\u202e", "\u200b"],
    *["\ufeff", "\ufffd", "😀", "é", "a\u2028b", "a\x85b\nc", "x" * 120, "word " * 40 + "end"],
    *["two  spaces " * 15 + "end", "# a " * 40 + "end", "- a " * 40 + "end", "a: b " * 40 + "end"],
    *["x\n" * 3 + "y" * 120, " " * 120, "é " * 80 + "é"],
]
"""Text that some reader of YAML, or some way of writing it, takes for something else."""

_CHARACTERS = st.characters(exclude_categories=["Cs"])
_YAML_SIGNS = st.sampled_from("abn019 -:#[]{},&*!|>'\"%@`?\\\n.~=+_\té")

texts = st.one_of(
    st.sampled_from(ODD_TEXT),
    st.text(_YAML_SIGNS, max_size=12),
    st.text(_CHARACTERS, max_size=20),
    st.lists(st.sampled_from(["word", "a", "#", "-", "x:", "", "long" * 9]), max_size=40).map(" ".join),
)
keys = st.one_of(
    st.text("abcxyz_", min_size=1, max_size=8),
    st.sampled_from([text for text in ODD_TEXT if len(text) <= 100]),
    st.text(_YAML_SIGNS, max_size=10),
)
numbers = st.one_of(
    st.integers(), st.integers(-(10**40), 10**40), st.floats(allow_nan=False, allow_infinity=False)
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=6,
)
mappings = st.dictionaries(keys, values, max_size=4)


@st.composite
def deep_values(draw: st.DrawFn) -> Any:
    """A value below up to ten levels of lists and mappings."""
    value = draw(scalars)
    for is_list in draw(st.lists(st.booleans(), max_size=10)):
        value = [value] if is_list else {draw(keys): value}
    return value


RECORD = """\
# yaml-language-server: $schema=../../schemas/benchmark.schema.json
# One run of the serving benchmark.

id: example-run  # equals the file name
kind: benchmark
title: 'An example: 8B on one card'
engine: {id: vllm, version: "0.6.3"}
accelerator_ids: [card-80gb]
conditions:
  # as the log has it
  request_rate: 10
  input_length:   # tokens
    mean: 215.30
    max: 1.0e+3
results:
- metric: ttft_ms   # time to first token
  value: 35.21
  unit: ms
-
  # computed by the program
  metric: tps_aggregate
  value: 1975.20
  # nothing else was printed
absent:
  - {condition: warmup, reason: not_stated,
     # where it was looked for
     source_id: paper}   # see the appendix
notes: |   # as written
  # not a comment
    indented
audit:
  - date: 2025-01-02
    reason: >-
      imported from the output
      of the benchmark
    changes: []   # none
  # end of the trail
# end of the file
"""

_FRAGMENTS = st.sampled_from(
    [
        *[
            b"\n",
            b"\n\n",
            b" ",
            b"  ",
            b"\t",
            b"\r",
            b"\r\n",
            b"# c\n",
            b" # c",
            b": ",
            b"- ",
            b"key: value\n",
        ],
        *[b"[", b"]", b"{", b"}", b",", b'"', b"'", b"|", b">", b"?", b"@", b"`", b"\\", b'"\\ud800"'],
        *[b"&a ", b"*a", b"!t ", b"<<: ", b"---\n", b"...\n", b"%YAML 1.1\n", b"010", b".inf", b"1e999"],
        *[b"\xff", b"\xef\xbb\xbf", b"\0", b"\xc2\x85", b"\xe2\x80\xa8"],
    ]
)


@st.composite
def mutated_records(draw: st.DrawFn) -> bytes:
    """The bytes of a plausible record with some pieces put in, doubled or cut out."""
    content = RECORD.encode()
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from([0, 0, 1, 3, 20, 200])))
        piece = draw(st.one_of(_FRAGMENTS, st.just(content[start:end] * 2), st.just(b"")))
        content = content[:start] + piece + content[end:]
    return content


_TEXT_LINES = ("  # not a comment", "    indented", "      imported from", "      of the benchmark")


@st.composite
def commented_records(draw: st.DrawFn) -> bytes:
    """A plausible record with comments and blank lines between and after the lines outside its text."""
    lines = []
    for number, line in enumerate(RECORD.splitlines()):
        extra = (
            ""
            if line.startswith(_TEXT_LINES)
            else draw(st.sampled_from(["", "", "blank", "above", "beside"]))
        )
        if extra == "above":
            lines.append(" " * draw(st.integers(0, 8)) + f"# above {number}")
        elif extra == "blank":
            lines.append(draw(st.sampled_from(["", "  "])))
        lines.append(f"{line}  # beside {number}" if extra == "beside" else line)
    return "\n".join(lines).encode() + draw(st.sampled_from([b"", b"\n", b"\n\n", b"\r\n"]))
