"""What libyaml's scanner and parser refuse, in a sentence of ours, and where to look.

libyaml reports what *it* expected; a contributor needs to know what to change. Each of its phrases has a
sentence, a hint, and the place that helps: where it stopped, or where the construct it could not finish
began.
"""

from __future__ import annotations

from typing import NamedTuple

import yaml

from tools.finding import START, Location


class _Wording(NamedTuple):
    sentence: str
    hint: str
    at_opening: bool = False


_LIST_OR_MAPPING = "close it with the same kind of bracket, and put a comma between its parts"
_ESCAPES = 'inside "..." write a backslash as \\\\ ; text in single quotes needs no escapes'

_WORDINGS = {
    "mapping values are not allowed in this context": _Wording(
        "a `: ` stands where no key can be",
        'text that contains ": " needs quotes; otherwise check the indentation of this line',
    ),
    "could not find expected ':'": _Wording(
        "this line is not `key: value`",
        "add the colon and a space, or indent the line if it continues the text above",
        at_opening=True,
    ),
    "found character that cannot start any token": _Wording(
        "unquoted text cannot start with this character",
        "put the text in double quotes",
    ),
    "did not find expected key": _Wording(
        "the mapping does not go on here: a key was expected",
        "keys of one mapping start in the same column; nothing may follow a closing quote",
    ),
    "did not find expected '-' indicator": _Wording(
        "the list does not go on here: `- ` was expected",
        "items of one list start in the same column, and a key after a list is indented less than its items",
    ),
    "did not find expected ',' or ']'": _Wording(
        "a list opened with `[` does not go on here", _LIST_OR_MAPPING
    ),
    "did not find expected ',' or '}'": _Wording(
        "a mapping opened with `{` does not go on here", _LIST_OR_MAPPING
    ),
    "did not find expected node content": _Wording(
        "a value was expected here",
        "look for a comma too many or a wrong bracket; text that starts with one needs quotes",
    ),
    "did not find expected <document start>": _Wording(
        "the record has ended, but the text goes on",
        "look for a bracket too many, or a line that is indented less than the first key",
    ),
    "block sequence entries are not allowed in this context": _Wording(
        "a list item cannot start here",
        "start `- ` on a line of its own below the key, or quote text that begins with `- `",
    ),
    "mapping keys are not allowed in this context": _Wording(
        "unquoted text cannot start with `? `", "put the text in double quotes"
    ),
    "found unexpected end of stream": _Wording(
        "text in quotes is never closed", "add the closing quote", at_opening=True
    ),
    "found unexpected document indicator": _Wording(
        "text in quotes is never closed", "add the closing quote", at_opening=True
    ),
    "found unknown escape character": _Wording("no character is written with this escape", _ESCAPES),
    "did not find expected hexdecimal number": _Wording("an escape has too few hexadecimal digits", _ESCAPES),
    "found invalid Unicode character escape code": _Wording(
        "this escape is no character",
        "write the character itself, or one \\U escape with eight digits instead of a surrogate pair",
    ),
    "did not find expected comment or line break": _Wording(
        "only a comment may follow `|` or `>` on their line", "quote text that begins with `|` or `>`"
    ),
    "did not find expected alphabetic or numeric character": _Wording(
        "unquoted text cannot start with `*` or `&`", "put the text in double quotes"
    ),
    "found undefined tag handle": _Wording(
        "unquoted text cannot start with `!`", "put the text in double quotes"
    ),
    "did not find expected tag URI": _Wording(
        "unquoted text cannot start with `!`", "put the text in double quotes"
    ),
}
_DIRECTIVE = _Wording("a line cannot start with `%`", "leave directives out; quote text that starts with `%`")
_UNCLOSED = {
    "did not find expected ',' or ']'": _Wording(
        "a list is opened with `[` and never closed", "add the `]`", True
    ),
    "did not find expected ',' or '}'": _Wording(
        "a mapping is opened with `{` and never closed", "add the `}`", True
    ),
}


def is_nesting_limit(error: yaml.YAMLError) -> bool:
    """Whether libyaml gave up looking ahead because of brackets within brackets."""
    return isinstance(error, yaml.MarkedYAMLError) and error.problem == "exceeded maximum nesting depth"


def explain(error: yaml.YAMLError, text: str) -> tuple[Location, str, str]:
    """Place, sentence and hint for what libyaml raised while reading `text`."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return START, f"this is not YAML: {str(error).splitlines()[0]}", ""
    problem, stopped, opened = error.problem or "", error.problem_mark, error.context_mark
    at_end = not text[stopped.index :].strip()
    if "directive" in (error.context or "") or problem == "found incompatible YAML document":
        wording = _DIRECTIVE
    elif at_end and problem in _UNCLOSED:
        wording = _UNCLOSED[problem]
    else:
        wording = _WORDINGS.get(problem) or _Wording(
            f"this is not YAML: {problem}", "quote the text if it is text"
        )
    if wording.at_opening and opened is not None:
        place = Location(opened.line + 1, opened.column + 1)
    elif at_end:
        place = _end(text)
    else:
        place = Location(stopped.line + 1, stopped.column + 1)
    return place, wording.sentence, wording.hint


def _end(text: str) -> Location:
    """Where the last line with text on it ends."""
    written = text.rstrip()
    return Location(written.count("\n") + 1, max(1, len(written) - written.rfind("\n") - 1))
