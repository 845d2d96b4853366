"""What a name in a result file may be: a published name, or a path, host or secret that no record takes."""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+:@ ()-]*(?:/[A-Za-z0-9][A-Za-z0-9._+:@-]*)?")
_FOLDERS = frozenset(
    (
        "app", "cache", "checkpoints", "code", "data", "home", "local", "lustre", "media", "mnt", "model", "models",
        "nfs", "opt", "repo", "root", "scratch", "shared", "srv", "tmp", "user", "users", "var", "weights", "work",
        "workspace",
    )
)  # fmt: skip
_LIKE_A_SECRET = re.compile(
    r"(?i)(?:sk|hf|pk|ghp|glpat|nvapi)[-_][a-z0-9_-]{12,}|bearer |api[_-]?key|password|token="
)
_LIKE_A_HOST = re.compile(
    r"(?i)[a-z]+://|[0-9]{1,3}(?:\.[0-9]{1,3}){3}:|localhost|[\w.-]+\.(?:internal|local|lan|corp)\b|[\w.-]@[\w.-]"
)
_LIKE_A_PATH = re.compile(r"(?:^|[\s=:,;\"'(\[])(?:~|\.{1,2})?/[\w.-]|[A-Za-z]:\\|\\\\")
_FILE = re.compile(r"(?i).*\.(?:gguf|safetensors|bin|pt|pth|engine|onnx)")
_MOCK = re.compile(
    r"(?i)(?:^|[^a-z])(?:mock(?:ed)?|fake|simulator|inference-sim|sim-?server|echo-?server)(?:[^a-z]|$)"
)
LONGEST_NAME = 120


def is_name(text: str) -> bool:
    """Whether a text can be a published name (`owner/name` or one word), and not a path, a host or a key."""
    if len(text) > LONGEST_NAME or not _NAME.fullmatch(text) or _FILE.fullmatch(text):
        return False
    first, slash, _ = text.partition("/")
    if slash and first.lower() in _FOLDERS:
        return False
    return is_public(text)


def is_public(text: str) -> bool:
    """Whether a text has nothing in it that looks like a path, a host, an address or a key."""
    return _is_public_word(text) if len(text) <= LONGEST_NAME else _is_public(text)


def _is_public(text: str) -> bool:
    return not any(private.search(text) for private in (_LIKE_A_SECRET, _LIKE_A_HOST, _LIKE_A_PATH))


_is_public_word = lru_cache(maxsize=1 << 12)(_is_public)
"""Names of metrics, units and members stand in every record: they are judged once."""


def is_mock(text: str) -> bool:
    """Whether a name says of itself that no model answered."""
    return _MOCK.search(text) is not None
