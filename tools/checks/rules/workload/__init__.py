"""The workload that was really run: lengths, token counts, tokenizers, caches."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.workload import (
    eos_not_ignored,
    foreign_tokenizer,
    isl_osl_swapped,
    nominal_vs_actual_length,
    one_token_outputs,
    prefix_cache_on_synthetic,
    reasoning_double_count,
    request_counts_disagree,
    retokenized_count_mismatch,
)

RULES: tuple[Rule, ...] = (
    nominal_vs_actual_length.RULE,
    one_token_outputs.RULE,
    eos_not_ignored.RULE,
    isl_osl_swapped.RULE,
    retokenized_count_mismatch.RULE,
    foreign_tokenizer.RULE,
    reasoning_double_count.RULE,
    prefix_cache_on_synthetic.RULE,
    request_counts_disagree.RULE,
)
