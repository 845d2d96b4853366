"""What the strict YAML subset leaves out, or YAML itself refuses; `tools.records.subset` finds it."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULES = (
    Rule(
        name="yaml-syntax",
        level=Level.ERROR,
        summary="The text is not YAML.",
        why=(
            "Quotes, brackets or indentation do not fit together, so there is no telling what the rest "
            'means. Most often a text holds ": " or " #" and needs quotes, or a line stands in the wrong '
            "column. Nothing else can be said about the file until it can be read."
        ),
        reference="https://yaml.org/spec/1.2.2/",
    ),
    Rule(
        name="empty-file",
        level=Level.ERROR,
        summary="The file holds no record.",
        why=(
            "An empty file, or one with nothing but comments, reserves an id and says nothing. Write the "
            "record or delete the file; a record that no longer stands is retracted, not emptied."
        ),
    ),
    Rule(
        name="several-documents",
        level=Level.ERROR,
        summary="The file holds more than one document.",
        why=(
            "The file name is the id of the one record in it. A second document after `---` has no name that "
            "others could refer to, and many readers never see it. Move it to a file of its own."
        ),
    ),
    Rule(
        name="duplicate-key",
        level=Level.ERROR,
        summary="A key stands twice in one mapping.",
        why=(
            "Most readers keep the last value and drop the first without a word, some the other way round: "
            "two people read two numbers from one file. Decide which one is right; if the record held the "
            "other before, write a correction into its audit log."
        ),
        reference="https://yaml.org/spec/1.2.2/#3213-node-comparison",
    ),
    Rule(
        name="merge-key",
        level=Level.ERROR,
        summary="The merge key `<<` is used.",
        why=(
            "`<<` copies keys from elsewhere, in readers that know it; in the others it is an ordinary key. "
            "A record states everything where it is read, and a change then has one place and one pointer "
            "for the audit log. Write the keys out."
        ),
    ),
    Rule(
        name="anchor-or-alias",
        level=Level.ERROR,
        summary="An anchor `&` or an alias `*` is used.",
        why=(
            "An alias makes one text stand for several values: changing one changes the others unseen, an "
            "audit entry for one place would have to be an entry for all, and a few lines of aliases expand "
            "to gigabytes. Write the value wherever it is needed, and quote text that starts with & or *."
        ),
    ),
    Rule(
        name="explicit-tag",
        level=Level.ERROR,
        summary="A type is forced with a tag `!`.",
        why=(
            "Tags change what a word means, differently in each program, and some make a program construct "
            "objects. The schema already says what every value is. Leave the tag out, and quote text that "
            "starts with !."
        ),
    ),
    Rule(
        name="complex-key",
        level=Level.ERROR,
        summary="A key is a list, a mapping, or longer than 100 characters.",
        why=(
            "The keys of a record are the short names of the schema. A list or mapping as a key, or a whole "
            "sentence, is text that lost its quotes (`{a}: b`), or a value that was put in the place of its "
            "name."
        ),
    ),
)
