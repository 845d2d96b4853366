"""Findings as JUnit XML, which build servers read as test results.

A file with findings is a test case: failed when it has an error, else passed with its findings as output (so
under `--strict` the exit code is the judge, not the report). A case has one failure with all its findings, as
some readers keep only one. Files without findings are known by their number alone: together they are one
passed case, so that a clean run is not an empty one. A rule that crashed is a case with an error.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tools.checks.reports.words import counted, plain, plain_lines, tally, told
from tools.finding import Finding, Level

if TYPE_CHECKING:
    from tools.checks.run import Report

SUITE = "tools validate"


def render(report: Report, *_: object) -> str:
    """The XML document."""
    grouped = groupby(sorted(report.findings, key=attrgetter("file")), key=attrgetter("file"))
    cases = [_file(list(findings)) for _, findings in grouped]
    quiet = report.files - len(cases)
    if quiet > 0 or not cases:
        cases.append(_case(f"{counted(max(quiet, 0), 'file')} without findings"))
    cases += [_crash(crash) for crash in report.crashes]
    totals = {
        "name": SUITE,
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": str(len(report.crashes)),
        "time": f"{report.seconds:.3f}",
    }
    root = ElementTree.Element("testsuites", totals)
    ElementTree.SubElement(root, "testsuite", totals).extend(cases)
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _file(findings: list[Finding]) -> ElementTree.Element:
    case = _case(plain(findings[0].file))
    case.set("file", plain(findings[0].file))
    case.set("line", str(findings[0].location.line))
    if any(finding.level is Level.ERROR for finding in findings):
        outcome = ElementTree.SubElement(case, "failure", message=tally(findings), type=Level.ERROR)
    else:
        outcome = ElementTree.SubElement(case, "system-out")
    outcome.text = "\n".join(["", *(line for finding in findings for line in _lines(finding)), ""])
    return case


def _lines(finding: Finding) -> list[str]:
    line, column = finding.location
    first, *others = told(finding)
    level = f"acknowledged {finding.level}" if finding.acknowledged else finding.level
    return [f"{line}:{column} {level} {finding.rule}: {first}", *(f"  {other}" for other in others)]


def _crash(crash: str) -> ElementTree.Element:
    lines = plain_lines(crash)
    case = _case(lines[0])
    ElementTree.SubElement(case, "error", message=lines[0], type="crash").text = "\n".join(lines)
    return case


def _case(name: str) -> ElementTree.Element:
    return ElementTree.Element("testcase", classname=SUITE, name=name)
