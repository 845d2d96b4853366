"""Reports: reviewed outputs for a nasty run, and what must hold of every format whatever a record says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.checks.outcome import Skipped
from tools.checks.reports import FORMATS
from tools.checks.reports.github import SHOWN_PER_LEVEL
from tools.checks.reports.sarif import FINGERPRINT
from tools.checks.reports.words import plain, unstyled
from tools.checks.rule import Rule
from tools.checks.run import Report
from tools.finding import Acknowledgement, Finding, Level, Location
from tools.records.characters import UNWRITABLE

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/output/findings.schema.json").read_text())
FOLLOWS_SCHEMA = jsonschema.Draft202012Validator(SCHEMA)

RULES = {
    "unresolved-reference": Rule(
        "unresolved-reference",
        Level.ERROR,
        "A record is named that does not exist.",
        "Joins go through ids; an id of nothing drops the row without a word.",
        "https://www.rfc-editor.org/rfc/rfc6901",
    ),
    "speedup-without-baseline": Rule(
        "speedup-without-baseline",
        Level.WARNING,
        "A speedup does not say over what.",
        "A ratio {with} no [denominator](x) is no number.",
        "Leviathan et al. 2023, section 3",
    ),
}

NASTY = Report(
    findings=(
        Finding(
            "unresolved-reference",
            Level.ERROR,
            "data/benchmarks/my-run.yaml",
            Location(14, 5),
            "no accelerator is called `nvidia-a100`",
            "did you mean `nvidia-a100-80gb-pcie`?",
            "/accelerator_ids/0",
            "my-run",
            "  - nvidia-a100",
        ),
        Finding(
            "speedup-without-baseline",
            Level.WARNING,
            "data/benchmarks/my-run.yaml",
            Location(20, 1),
            "100% faster, than: what?\n::error::a line that would be a command\r\n]]> <b>&amp;</b> {0} [a](https://x)",
            "state\nit",
            "/results/0/base~1line",
            "my-run",
        ),
        Finding(
            "unresolved-reference",
            Level.ERROR,
            "data/models/größe 数字,50%:.yaml",
            Location(3, 11),
            "wide 模型 and \N{FAMILY}, e\N{COMBINING ACUTE ACCENT}",
            pointer="/name",
            record="größe 数字,50%:",
            excerpt="name: 模型名e\N{COMBINING ACUTE ACCENT}x",
        ),
        Finding(
            "control-character",
            Level.ERROR,
            "data/models/line\nbreak\udcff.yaml",
            Location(2, 7),
            "\x1b[2J\x1b]0;owned\x07 \x00 \x9b31m \u202etxt.lmay\N{LINE SEPARATOR}\x0b\ud800",
            "remove \N{RIGHT-TO-LEFT ISOLATE}it",
            excerpt="note: \x1b[31mred\N{RIGHT-TO-LEFT OVERRIDE}\tand more",
        ),
        Finding(
            "more-findings",
            Level.INFO,
            "data/models/long.yaml",
            Location(1, 300),
            "a long line",
            excerpt="x" * 160,
        ),
        Finding(
            "speedup-without-baseline",
            Level.WARNING,
            "data/models/zero.yaml",
            Location(4, 3),
            "over what?",
            "state it",
            "/results/0",
            "zero",
            "  metric: speedup_ratio",
            Acknowledgement(
                "the paper: 100%\n::error::says {so} [a](https://x)\x1b[2J", "some\u202ebody", "2026-10-05"
            ),
        ),
    ),
    files=1173,
    records=1172,
    seconds=0.4142,
)
CLEAN = Report((), 173, 172, 0.41)

# Alphabets that lean to what breaks outputs, over all of Unicode, halves of surrogate pairs included.
CHARACTERS = st.one_of(
    st.sampled_from("\x00\x1b\r\n\t%:,]>&<\"'{}[]()\u202e\u2028\x85\ufeff\ud800\uffff模"), st.characters()
)
TEXTS = st.text(CHARACTERS, max_size=12)
# The last byte of the path of a file is never a slash.
FILES = (
    st.binary(min_size=1, max_size=12)
    .filter(lambda path: not path.endswith(b"/"))
    .map(lambda path: path.decode("utf-8", "surrogateescape"))
)
ACCEPTED = st.builds(Acknowledgement, TEXTS.filter(bool), TEXTS, st.sampled_from(["", "2026-10-05"]))


def never_an_error(finding: Finding) -> Finding:
    """The finding, without the acknowledgement that an error cannot have."""
    return replace(finding, acknowledged=None) if finding.level is Level.ERROR else finding


FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from([*RULES, "schema-violation"]),
    level=st.sampled_from(Level),
    file=FILES,
    location=st.builds(Location, st.integers(1, 9999), st.integers(1, 200)),
    message=TEXTS.filter(bool),
    hint=TEXTS,
    pointer=TEXTS.map(lambda token: f"/{token}".replace("~", "~0")),
    record=TEXTS,
    excerpt=TEXTS,
    acknowledged=st.none() | ACCEPTED,
).map(never_an_error)
SKIPS = st.builds(Skipped, st.sampled_from([*RULES]), FILES, TEXTS, TEXTS, TEXTS.filter(bool))
REPORTS = st.builds(
    Report,
    st.lists(FINDINGS, max_size=13).map(tuple),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.floats(0, 1e4),
    st.lists(TEXTS, max_size=2).map(tuple),
    st.none() | st.lists(SKIPS, max_size=6).map(tuple),
)


def rendered(name: str, report: Report, style: Callable[[str, str], str] = unstyled) -> str:
    return FORMATS[name](report, RULES, style)


@pytest.mark.parametrize(
    ("name", "ending"),
    [("text", "txt"), ("json", "json"), ("sarif", "sarif"), ("github", "txt"), ("junit", "xml")],
)
def test_the_nasty_run(golden: Callable[[str, str], None], name: str, ending: str) -> None:
    golden(f"report-{name}.{ending}", rendered(name, NASTY))


@settings(max_examples=30, deadline=None)
@given(report=REPORTS)
def test_every_format_can_be_written_and_shown(report: Report) -> None:
    for name in FORMATS:
        text = rendered(name, report)
        text.encode("utf-8")
        assert not UNWRITABLE.search(text), name
        assert "\t" not in text, name
        assert "\r" not in text, name
        assert text == "" or text.endswith("\n"), name


def test_a_clean_run_is_one_line() -> None:
    assert rendered("text", CLEAN) == "173 files, 172 records: no findings (0.41 s)\n"


def test_text_says_what_was_found_and_how_to_learn() -> None:
    one = Report(NASTY.findings[:1], 1, 1, 0.004)
    assert rendered("text", one).splitlines()[-1] == (
        "1 file, 1 record: 1 error (0.00 s); `tools explain RULE` teaches a rule"
    )


def test_text_keeps_the_findings_of_a_file_together() -> None:
    first, second, third = NASTY.findings[:3]
    lines = rendered("text", Report((first, third, second), 2, 2, 0.1)).splitlines()
    places = [line.split(":")[0] for line in lines if re.search(r":\d+:\d+  (error|warning)  ", line)]
    assert places == [first.file, second.file, "data/models/größe 数字,50%"]


def test_what_is_acknowledged_is_told_and_counted_apart() -> None:
    warning = NASTY.findings[-1]
    text = rendered("text", Report((warning, replace(warning, acknowledged=None)), 1, 1, 0.1))
    assert "1 warning, 1 acknowledged (0.10 s)" in text
    accepted = replace(warning, acknowledged=Acknowledgement("It is so.", "cleo", ""))
    report = Report((accepted,), 1, 1, 0.1)
    assert (report.count(Level.WARNING), report.acknowledged) == (0, 1)
    text = rendered("text", report)
    assert "  acknowledged: It is so. (by cleo)\n" in text
    assert "help:" not in text
    assert "1 record: 1 acknowledged (0.10 s)" in text
    assert "\n4:3 acknowledged warning speedup-without-baseline: over what?\n" in rendered("junit", report)
    assert rendered("github", report).startswith("::notice file=data/models/zero.yaml,line=4,col=3")


def test_skips_are_told_by_rule_and_by_what_was_lacking() -> None:
    files = [f"data/benchmarks/run-{number}.yaml" for number in range(5)]
    skips = [Skipped("b-rule", file, "", "/results/0/value", "the bandwidth of `x`") for file in files]
    skips += [Skipped("b-rule", files[0], "", "", "the parameters of `y`")]
    skips += [Skipped("a-rule", files[0], "", "/results/1", "the bandwidth of `x`")]
    lines = rendered("text", replace(CLEAN, skips=tuple(skips))).splitlines()
    assert lines[:-2] == [
        "silent  a-rule",
        "  lacks: the bandwidth of `x` (1 place in 1 file)",
        "    data/benchmarks/run-0.yaml /results/1",
        "silent  b-rule",
        "  lacks: the bandwidth of `x` (5 places in 5 files)",
        *(f"    {file} /results/0/value" for file in files[:3]),
        "    and 2 more; --format json has them all",
        "  lacks: the parameters of `y` (1 place in 1 file)",
        "    data/benchmarks/run-0.yaml",
    ]
    assert rendered("text", replace(CLEAN, skips=())).splitlines()[0] == "no rule lacked a fact"


def test_text_has_every_finding() -> None:
    many = Report(NASTY.findings[:1] * 500, 1, 1, 0.1)
    assert rendered("text", many).count("unresolved-reference") == 500


@pytest.mark.parametrize(
    ("excerpt", "column", "caret_at"),
    [
        ("key: value", 6, 5),
        ("key: value", 11, 10),
        ("模型: x", 4, 5),
        ("e\N{COMBINING ACUTE ACCENT}: x", 4, 2),
        ("key: \x1b[1m", 7, 6),
        ("key: value", 12, None),
        ("x" * 160, 3, None),
    ],
)
def test_the_caret_stands_under_the_column(excerpt: str, column: int, caret_at: int | None) -> None:
    finding = Finding("a-rule", Level.ERROR, "a.yaml", Location(7, column), "wrong", excerpt=excerpt)
    shown = rendered("text", Report((finding,), 1, 1, 0.1))
    assert f"7 | {plain(excerpt)}" in shown
    caret = re.search(r"^  ( +\| )( *)\^$", shown, re.MULTILINE)
    assert (len(caret[2]) if caret else None) == caret_at


def test_colour_is_the_callers() -> None:
    roles = set()

    def style(text: str, role: str) -> str:
        roles.add(role)
        return text

    assert rendered("text", NASTY, style) == rendered("text", NASTY)
    assert roles == {"error", "warning", "info", "file", "strong", "dim"}


@settings(max_examples=30, deadline=None)
@given(report=REPORTS)
def test_json_follows_its_schema_and_loses_nothing(report: Report) -> None:
    document = json.loads(rendered("json", report))
    FOLLOWS_SCHEMA.validate(document)
    assert len(document["findings"]) == len(report.findings)
    summary = document["summary"]
    assert summary["acknowledged"] == sum(bool(finding["acknowledged"]) for finding in document["findings"])
    counted = [summary[count] for count in ("errors", "warnings", "infos", "acknowledged")]
    assert sum(counted) == len(report.findings)
    assert ("skips" in document) == (report.skips is not None)
    assert len(document.get("skips", ())) == len(report.skips or ())


def test_the_schema_is_a_schema_and_its_example_follows_it() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for example in SCHEMA["examples"]:
        FOLLOWS_SCHEMA.validate(example)
    with pytest.raises(jsonschema.ValidationError):
        FOLLOWS_SCHEMA.validate({**SCHEMA["examples"][0], "more": 1})


def sarif_schema() -> dict[str, object]:
    """The part of the SARIF 2.1.0 schema that these logs touch, with all objects closed."""
    message = {
        "type": "object",
        "required": ["text"],
        "additionalProperties": False,
        "properties": {"text": {"type": "string"}},
    }
    level = {"enum": ["none", "note", "warning", "error"]}
    positive = {"type": "integer", "minimum": 1}

    def closed(required: dict[str, object], **optional: object) -> dict[str, object]:
        properties = {**required, **optional}
        return {
            "type": "object",
            "additionalProperties": False,
            "required": [*required],
            "properties": properties,
        }

    def several(items: object, least: int = 0) -> dict[str, object]:
        return {"type": "array", "items": items, "minItems": least}

    rule = closed(
        {"id": {"type": "string"}},
        shortDescription=message,
        fullDescription=message,
        help=message,
        helpUri={"type": "string", "pattern": "^https?://[!-~]+$"},
        defaultConfiguration=closed({"level": level}),
    )
    # Percent-encoded: no character that RFC 3986 keeps for other uses, and no colon that would end a scheme.
    artifact = closed(
        {"uri": {"type": "string", "pattern": "^(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"}},
        uriBaseId={"const": "%SRCROOT%"},
    )
    region = closed({"startLine": positive, "startColumn": positive})
    place = closed({"artifactLocation": artifact, "region": region})
    suppression = closed(
        {
            "kind": {"enum": ["inSource", "external"]},
            "status": {"enum": ["accepted", "underReview", "rejected"]},
            "justification": {"type": "string"},
        }
    )
    result = closed(
        {
            "ruleId": {"type": "string"},
            "ruleIndex": {"type": "integer", "minimum": 0},
            "level": level,
            "message": message,
            "locations": several(closed({"physicalLocation": place}), 1),
            "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
            "properties": {"type": "object"},
            # Optional in SARIF, but of all results or of none.
            "suppressions": several(suppression),
        }
    )
    notification = closed({"level": level, "message": message})
    invocation = closed(
        {"executionSuccessful": {"type": "boolean"}, "toolExecutionNotifications": several(notification)}
    )
    run = closed(
        {
            "tool": closed({"driver": closed({"name": {"type": "string"}, "rules": several(rule)})}),
            "columnKind": {"const": "unicodeCodePoints"},
            "invocations": several(invocation),
            "results": several(result),
        }
    )
    return closed({"$schema": {"type": "string"}, "version": {"const": "2.1.0"}, "runs": several(run, 1)})


FOLLOWS_SARIF = jsonschema.Draft202012Validator(sarif_schema())


@settings(max_examples=30, deadline=None)
@given(report=REPORTS)
def test_sarif_is_sarif(report: Report) -> None:
    log = json.loads(rendered("sarif", report))
    FOLLOWS_SARIF.validate(log)
    run = log["runs"][0]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(ids[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    fingerprints = [result["partialFingerprints"][FINGERPRINT] for result in run["results"]]
    assert len(set(fingerprints)) == len(report.findings)
    for result in run["results"]:
        text = result["message"]["text"].replace("{{", "").replace("}}", "")
        assert not re.search(r"[{}]|\]\(", text)
    accepted = [bool(finding.acknowledged) for finding in report.findings]
    assert [bool(result["suppressions"]) for result in run["results"]] == accepted


def test_a_moved_finding_keeps_its_fingerprint() -> None:
    def fingerprint(line: int, message: str, pointer: str = "/a") -> str:
        finding = Finding("a-rule", Level.ERROR, "a.yaml", Location(line, 1), message, pointer=pointer)
        log = json.loads(rendered("sarif", Report((finding,), 1, 1, 0.1)))
        found: str = log["runs"][0]["results"][0]["partialFingerprints"][FINGERPRINT]
        return found

    assert fingerprint(3, "3 is not 4") == fingerprint(30, "3 is not 5")
    assert fingerprint(3, "3 is not 4") != fingerprint(3, "3 is not 4", "/b")


@settings(max_examples=30, deadline=None)
@given(report=REPORTS)
def test_github_gets_one_command_a_line(report: Report) -> None:
    lines = rendered("github", report).splitlines()
    assert all(re.fullmatch(r"::(error|warning|notice) [a-z]+=[^:]*?::.*", line) for line in lines)
    accepted = [finding for finding in report.findings if finding.acknowledged]
    assert sum(line.startswith("::notice ") and "acknowledged: " in line for line in lines) >= len(accepted)
    announced = sum("title=not all findings are shown" in line for line in lines)
    assert len(lines) == len(report.findings) + len(report.crashes) + announced


def test_github_escapes_what_the_runner_would_read() -> None:
    line = rendered("github", Report(NASTY.findings[1:3], 1, 1, 0.1)).splitlines()
    assert line[0].startswith(
        "::warning file=data/benchmarks/my-run.yaml,line=20,col=1,title=speedup-without-baseline::"
        "100%25 faster, than: what?%0A::error::a line"
    )
    assert "file=data/models/größe 数字%2C50%25%3A.yaml,line=3" in line[1]


@pytest.mark.parametrize("count", [SHOWN_PER_LEVEL, SHOWN_PER_LEVEL + 1])
def test_github_says_first_when_it_will_not_show_all(count: int) -> None:
    lines = rendered("github", Report(NASTY.findings[:1] * count, 1, 1, 0.1)).splitlines()
    assert lines[-1].startswith("::error file=")
    assert lines[0].startswith("::notice title=not all") == (count > SHOWN_PER_LEVEL)


@settings(max_examples=30, deadline=None)
@given(report=REPORTS)
def test_junit_is_xml_with_true_totals(report: Report) -> None:
    root = ElementTree.fromstring(rendered("junit", report).encode())
    cases = root.findall("testsuite/testcase")
    assert int(root.attrib["tests"]) == len(cases) > 0
    assert int(root.attrib["failures"]) == len(root.findall(".//failure"))
    assert int(root.attrib["errors"]) == len(root.findall(".//error")) == len(report.crashes)
    with_errors = {finding.file for finding in report.findings if finding.level is Level.ERROR}
    assert len(root.findall(".//failure")) == len(with_errors)


def test_junit_of_a_clean_run_is_one_passed_case() -> None:
    root = ElementTree.fromstring(rendered("junit", CLEAN).encode())
    assert [(case.attrib["name"], len(case)) for case in root.iter("testcase")] == [
        ("173 files without findings", 0)
    ]


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"json"}))
def test_a_crashed_rule_is_never_a_clean_run(name: str) -> None:
    report = Report(
        (), 1, 1, 0.1, ("rule a-rule on a.yaml\nTraceback (most recent call last):\n  KeyError\n",)
    )
    marks = {
        "text": "not complete: 1 check failed",
        "sarif": '"executionSuccessful": false',
        "github": "::error title=a rule failed::rule a-rule on a.yaml%0ATraceback",
        "junit": '<error message="rule a-rule on a.yaml"',
    }
    assert marks[name] in rendered(name, report)
