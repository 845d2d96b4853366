"""Acknowledgements against findings: what is accepted, and which acceptance has nothing to accept any more.

A record's log may say that the warnings of a rule were seen, and why the record is right all the same. Each such
warning is then marked as acknowledged; it is told as before and counts no more. An acceptance has to earn its keep:
one that covers nothing, that is older than the value it speaks of, or that would hide an error is itself a finding,
under the four names below. Of several acknowledgements of one rule the last one counts.

Those findings can be acknowledged in their turn, since an entry of the log cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from tools.audit.entry import AUDIT
from tools.checks.acknowledgements import Acknowledged, Later, Remarks, remarks
from tools.checks.inspect import CUT_RULE
from tools.checks.outcome import Outcome
from tools.checks.rule import Rule, Scope
from tools.finding import Finding, Level
from tools.records import pointer as pointers
from tools.records.parse import Json

UNMATCHED = "acknowledgement-without-finding"
OUTDATED = "acknowledgement-outdated"
OF_ERROR = "acknowledgement-of-error"
UNKNOWN = "acknowledgement-of-unknown-rule"

_ANEW = "`tools acknowledge ID {} --reason TEXT` adds the entry"


def without_surveys(rules: Iterable[Rule]) -> frozenset[str]:
    """The rules that have spoken when a file was looked at by itself."""
    return frozenset(rule.name for rule in rules if rule.survey is None)


def settled(
    findings: Iterable[Finding], facts: Mapping[str, Json], rules: Sequence[Rule], spoken: Collection[str]
) -> list[Finding]:
    """Findings with the acknowledged ones marked, and what there is to say of the acknowledgements.

    `facts` are those of `UNMATCHED`, by file; `spoken` names the rules that said all they have to say, so that a
    silent one has nothing.
    """
    known = {name: rule for rule in rules for name in (rule.name, *rule.aliases)}
    of_file: dict[str, list[Finding]] = {file: [] for file in facts}
    done: list[Finding] = []
    for finding in findings:
        of_file.get(finding.file, done).append(finding)
    for file, told in of_file.items():
        done += _Settlement(file, remarks(facts[file]), known, spoken, told).settle()
    return done


def settled_alone(outcome: Outcome, file: str, rules: Sequence[Rule]) -> list[Finding]:
    """The findings of one file that was looked at by itself, as `settled` gives them."""
    fact = outcome.facts.get(UNMATCHED)
    return settled(outcome.findings, {} if fact is None else {file: fact}, rules, without_surveys(rules))


@dataclass(slots=True)
class _Settlement:
    """The findings of one file beside what its record says of them; `told` grows by those about what it says."""

    file: str
    remarks: Remarks
    known: Mapping[str, Rule]
    spoken: Collection[str]
    told: list[Finding]
    is_cut: bool = field(init=False)

    def settle(self) -> list[Finding]:
        self.is_cut = any(finding.rule == CUT_RULE for finding in self.told)
        for accepted, rule in self._standing():
            if rule is None:
                self._say(UNKNOWN, accepted, *_unknown(accepted.rule, self.known))
            else:
                self._accept(accepted, rule)
        return self.told

    def _standing(self) -> list[tuple[Acknowledged, Rule | None]]:
        """The last acknowledgement of each rule; those of findings about acknowledgements come last."""
        last: dict[str, tuple[Acknowledged, Rule | None]] = {}
        for accepted in self.remarks.acknowledged:
            rule = self.known.get(accepted.rule)
            last[rule.name if rule else accepted.rule] = (accepted, rule)
        return sorted(
            last.values(),
            key=lambda found: (found[1] is not None and found[1].about_findings, found[0].index),
        )

    def _accept(self, accepted: Acknowledged, rule: Rule) -> None:
        covered, refused = 0, False
        outdated: tuple[Finding, Later] | None = None
        for number, finding in enumerate(self.told):
            if finding.rule != rule.name or not self._is_before(finding, rule, accepted):
                continue
            changed = self.remarks.changed_since(finding.pointer, accepted.index)
            if finding.level is Level.ERROR:
                refused = True
            elif changed is None:
                covered += 1
                self.told[number] = replace(finding, acknowledged=accepted.words)
            else:
                outdated = outdated or (finding, changed)
        if outdated:
            self._say(OUTDATED, accepted, *_outdated(accepted, rule, *outdated))
        elif refused and not covered:
            self._say(OF_ERROR, accepted, *_of_error(rule))
        elif not covered and self._has_nothing(rule):
            self._say(UNMATCHED, accepted, *_unmatched(accepted, rule))

    @staticmethod
    def _is_before(finding: Finding, rule: Rule, accepted: Acknowledged) -> bool:
        """Whether a finding was there to be accepted; one about an acknowledgement is newer than that."""
        if not rule.about_findings:
            return True
        index = finding.pointer.removeprefix(f"/{AUDIT}/").partition("/")[0]
        return int(index) < accepted.index

    def _has_nothing(self, rule: Rule) -> bool:
        if rule.scope is Scope.BASE:
            return True
        return rule.name in self.spoken and not self.is_cut and not self.remarks.is_fallen

    def _say(self, name: str, accepted: Acknowledged, message: str, hint: str) -> None:
        rule = self.known[name]
        self.told.append(
            Finding(
                rule.name,
                rule.level,
                self.file,
                accepted.location,
                message,
                hint,
                accepted.pointer,
                Path(self.file).stem,
            )
        )


def _unknown(name: str, known: Iterable[str]) -> tuple[str, str]:
    near = get_close_matches(name.casefold(), known, n=1)
    return (
        f"there is no rule `{name}`, so this accepts nothing",
        f"did you mean `{near[0]}`? {_ANEW.format(near[0])}" if near else "`tools rules` lists them all",
    )


def _signed(accepted: Acknowledged) -> str:
    _, by, day = accepted.words
    return (f" by {by}" if by else "") + (f" on {day}" if day else "")


def _outdated(accepted: Acknowledged, rule: Rule, finding: Finding, change: Later) -> tuple[str, str]:
    place = pointers.join(change.path)
    return (
        f"`{rule.name}` was acknowledged{_signed(accepted)}, but {place} was changed afterwards "
        f"(/{AUDIT}/{change.entry}); "
        f"the {finding.level} at line {finding.location.line} stands again",
        f"look at it again: mend it, or accept it as it is now; {_ANEW.format(rule.name)}",
    )


def _of_error(rule: Rule) -> tuple[str, str]:
    return (
        f"what `{rule.name}` says of this record is an error, which no acknowledgement hides",
        f"mend it; `tools explain {rule.name}` says how",
    )


def _unmatched(accepted: Acknowledged, rule: Rule) -> tuple[str, str]:
    if rule.scope is Scope.BASE:
        return (
            f"`{rule.name}` is about a change, not about the record, and is never acknowledged",
            _settle_it(),
        )
    return (
        f"`{rule.name}` was acknowledged{_signed(accepted)}, but it has nothing to say of this record",
        f"if the record was mended, nothing is left to accept: {_settle_it()}",
    )


def _settle_it() -> str:
    return f"say so with `tools acknowledge ID {UNMATCHED} --reason TEXT`; an entry not merged yet can be taken out"
