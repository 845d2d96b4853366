"""What a map can say: one test a feature, on tables of a few rows."""

from __future__ import annotations

import pytest

from tests.importers.conftest import MAP, Run
from tools.audit.replay import replay
from tools.schema.validate import faults

FIELDS = MAP["fields"]
RATE = {"metric": "tps_aggregate", "column": "rate", "unit": "tok/s"}


def stated(run: Run, table: str, *rules: dict, **changes) -> dict:
    """The one record of a table with some more field rules."""
    return run(table, fields=[*FIELDS, *rules], **changes).only


def test_what_is_not_given_is_not_there(run: Run) -> None:
    record = run("run,rate\na,41.50\n").only
    assert set(record) == {
        *("id", "kind", "title", "status", "evidence", "measured_by", "results", "absent", "sources", "audit")
    }
    assert record["status"] == "draft"
    assert [gap["condition"] for gap in record["absent"]] == [
        *("model", "hardware", "load", "input_length", "output_length"),
        *("engine_version", "warmup", "scenario"),
    ]
    assert all(gap["reason"] == "not_stated" and gap["would_need"] for gap in record["absent"])
    assert all(gap["source_id"] == "example-log" for gap in record["absent"])
    assert not faults("benchmark", record)


def test_numbers_keep_their_digits(run: Run) -> None:
    imported = run("run,rate\na,41.50\n")
    assert "value: 41.50\n" in imported.batch.texts["a"]
    original = imported.only["results"][0]["derived_from"]["original"]
    assert original == {"key": "rate", "value": 41.5, "unit": "tok/s"}


@pytest.mark.parametrize(
    ("cell", "value", "printed"),
    [
        ("1234.5", 1234.5, None),
        ('"1,234.5"', 1234.5, "1,234.5"),
        ("0.12345678901234567891", 0.12345678901234568, "0.12345678901234567891"),
        ("+7", 7, "+7"),
        ("0", 0, None),
    ],
)
def test_printed_is_kept_only_where_digits_would_be_lost(run: Run, cell: str, value, printed) -> None:
    (result,) = run(f"run,rate\na,{cell}\n").only["results"]
    assert result["value"] == value
    assert result.get("printed") == printed


def test_a_unit_is_converted_once_and_the_original_stays(run: Run) -> None:
    ttft = {"metric": "ttft_ms", "statistic": "p50", "column": "ttft", "unit": "ns"}
    record = run("run,ttft\na,918456323\n", results=[ttft]).only
    assert record["results"] == [
        {
            "metric": "ttft_ms",
            "statistic": "p50",
            "value": 918.456323,
            "unit": "ms",
            "derived_from": {"original": {"key": "ttft", "value": 918456323, "unit": "ns"}},
        }
    ]


def test_a_conversion_starts_from_the_digits(run: Run) -> None:
    ttft = {"metric": "ttft_ms", "statistic": "p50", "column": "ttft", "unit": "s"}
    imported = run("run,ttft\na,1.001\nb,0.29\n", results=[ttft])
    assert [record["results"][0]["value"] for record in imported.records.values()] == [1001, 290]


def test_a_unit_may_stand_in_a_column(run: Run) -> None:
    unit = {"column": "in", "values": {"seconds": "s", "milli": "ms"}}
    rules = [{"metric": "ttft_ms", "statistic": "mean", "column": "t", "unit": unit}]
    imported = run("run,t,in\na,2,seconds\nb,3,milli\nc,4,hours\n", results=rules)
    values = [record["results"][0]["value"] for record in imported.records.values()]
    assert values == [2000, 3]
    assert imported.reasons == ["`in` is `hours`, which the map does not list"]


def test_a_field_is_converted_too(run: Run) -> None:
    rule = {"field": "/conditions/slo/ttft_ms", "column": "limit", "unit": "ns", "as": "ms"}
    assert stated(run, "run,rate,limit\na,1,2000000000\n", rule)["conditions"]["slo"]["ttft_ms"] == 2000


def test_an_empty_cell_states_nothing_and_is_never_zero(run: Run) -> None:
    rule = {"field": "/counts/completed", "column": "done"}
    record = stated(run, "run,rate,done\na,1,\n", rule)
    assert "counts" not in record
    record = stated(run, "run,rate,done\na,1,0\n", rule)
    assert record["counts"] == {"completed": 0}


def test_texts_that_state_nothing(run: Run) -> None:
    rule = {"field": "/notes", "column": "note"}
    assert "notes" not in stated(run, "run,rate,note\na,1,n/k\n", rule, blank=["n/k"])


def test_a_row_without_a_number_is_no_record(run: Run) -> None:
    imported = run("run,rate\na,\nb,2\n")
    assert list(imported.records) == ["b"]
    assert imported.reasons == ["it has no number"]


@pytest.mark.parametrize("cell", ["fast", "nan", "inf", "1.2.3", "12 tok/s", "1e999", "1e-999"])
def test_what_is_no_number_refuses_its_row(run: Run, cell: str) -> None:
    imported = run(f"run,rate\na,{cell}\nb,2\n")
    assert list(imported.records) == ["b"]
    assert imported.reasons == [f"`rate` is `{cell}`, which is no number"]


@pytest.mark.parametrize(
    ("field", "cell", "reason"),
    [
        ("/counts/completed", "1.5", "which is no whole number"),
        ("/conditions/streaming", "perhaps", "which is neither true nor false"),
    ],
)
def test_a_cell_of_the_wrong_kind_refuses_its_row(run: Run, field: str, cell: str, reason: str) -> None:
    imported = run(f"run,rate,x\na,1,{cell}\n", fields=[*FIELDS, {"field": field, "column": "x"}])
    assert imported.reasons == [f"`x` is `{cell}`, {reason}"]


def test_a_table_of_values_translates_and_refuses_the_rest(run: Run) -> None:
    rule = {
        "field": "/conditions/scenario",
        "column": "s",
        "values": {"Offline": "offline", "unknown": None},
    }
    imported = run("run,rate,s\na,1,Offline\nb,2,unknown\nc,3,Other\n", fields=[*FIELDS, rule])
    assert imported.records["a"]["conditions"] == {"scenario": "offline"}
    assert "conditions" not in imported.records["b"]
    assert imported.reasons == ["`s` is `Other`, which the map does not list"]


def test_a_table_of_values_with_a_default(run: Run) -> None:
    measured_by = {
        "field": "/measured_by",
        "column": "who",
        "values": {"Maker": "vendor"},
        "default": "third_party",
    }
    imported = run("run,rate,who\na,1,Maker\nb,2,Shop\n", fields=[*FIELDS[:2], measured_by])
    assert [record["measured_by"] for record in imported.records.values()] == ["vendor", "third_party"]


def test_a_pattern_takes_a_part_of_a_text(run: Run) -> None:
    rules = [
        {"field": "/conditions/batch_size", "column": "load", "pattern": "batch size ([0-9]+)"},
        {"field": "/measured_on", "column": "day", "pattern": "([0-9]{4})([0-9]{2})([0-9]{2})", "glue": "-"},
    ]
    record = stated(run, "run,rate,load,day\na,1,batch size 8,20260131\n", *rules)
    assert record["conditions"] == {"batch_size": 8}
    assert record["measured_on"] == "2026-01-31"
    assert "conditions" not in stated(run, "run,rate,load,day\na,1,at most 8,20260131\n", *rules)


def test_a_product_and_a_quotient_are_exact(run: Run) -> None:
    rules = [
        {"field": "/hardware/accelerator_count", "product": ["nodes", "each"]},
        {"field": "/conditions/output_length/mean", "quotient": ["tok", "req"]},
    ]
    record = stated(run, "run,rate,nodes,each,tok,req\na,1,3,8,300,4\n", *rules)
    assert record["hardware"] == {"accelerator_count": 24}
    assert record["conditions"] == {"output_length": {"mean": 75.0}}
    result = {
        "metric": "output_length_tokens",
        "statistic": "mean",
        "quotient": ["tok", "req"],
        "unit": "tokens",
    }
    (made,) = run("run,tok,req\na,300,4\n", results=[result]).only["results"]
    assert made["derived_from"] == {"formula": "tok / req"}
    assert run("run,tok,req\na,300,0\n", results=[result]).reasons == [
        "`req` is 0, by which nothing is divided"
    ]


def test_rules_for_some_rows(run: Run) -> None:
    rules = [
        {"field": "/notes", "value": "one", "when": {"n": "1"}},
        {"field": "/notes", "value": "few", "when": {"n": {"above": 1, "below": 5}}},
        {"field": "/notes", "value": "many", "when": {"n": ["5", "6"], "run": {"not": ["d"]}}},
        {"field": "/notes", "value": "blank", "when": {"n": {"blank": True}, "run": {"matches": "[a-e]"}}},
    ]
    imported = run("run,rate,n\na,1,1\nb,2,4\nc,3,6\nd,4,6\ne,5,\n", fields=[*FIELDS, *rules])
    told = [record.get("notes") for record in imported.records.values()]
    assert told == ["one", "few", "many", None, "blank"]


def test_refused_rows_are_counted_by_reason(run: Run) -> None:
    refuse = [{"when": {"state": {"not": ["ok"]}}, "reason": "the run did not end"}]
    imported = run("run,rate,state\na,1,ok\nb,2,failed\nc,3,\n", refuse=refuse)
    assert list(imported.records) == ["a"]
    assert imported.reasons == ["the run did not end"] * 2
    assert [refusal.place for refusal in imported.batch.refusals] == ["row 2", "row 3"]


def test_rows_of_other_maps_are_passed_over(run: Run) -> None:
    imported = run("run,rate,who\na,1,me\nb,2,you\n", only={"who": "me"})
    assert list(imported.records) == ["a"]
    assert imported.reasons == []
    assert imported.reading.passed_over == 1


GROUP = {
    "group": ["run"],
    "results": [
        {"metric": "tps_aggregate", "column": "value", "unit": "tok/s", "when": {"what": "rate"}},
        {"metric": "ttft_ms", "statistic": "p99", "column": "value", "unit": "ms", "when": {"what": "wait"}},
    ],
}


def test_rows_of_one_operating_point_are_one_record(run: Run) -> None:
    record = run("run,what,value\na,rate,10\nb,rate,20\na,wait,3\n", **GROUP).records["a"]
    assert [result["metric"] for result in record["results"]] == ["tps_aggregate", "ttft_ms"]
    assert [citation["locator"] for citation in record["sources"]] == ["row 1", "row 3"]
    assert [result["sources"][0]["locator"] for result in record["results"]] == ["row 1", "row 3"]


def test_the_same_row_twice_is_the_same_point(run: Run) -> None:
    cite = [{"source": "example-log", "locator": "{run}"}]
    imported = run("run,what,value\na,rate,10\na,rate,10\n", **GROUP, cite=cite)
    assert len(imported.only["results"]) == 1
    assert len(imported.only["sources"]) == 1


def test_values_that_disagree_are_reported(run: Run) -> None:
    imported = run("run,what,value\na,rate,10\na,rate,11\nb,rate,1\n", **GROUP)
    assert list(imported.records) == ["b"]
    assert imported.reasons == ["two values of tps_aggregate: 10 and 11"]
    fields = [*FIELDS, {"field": "/conditions/batch_size", "column": "batch"}]
    imported = run("run,what,value,batch\na,rate,10,1\na,wait,11,2\n", **GROUP, fields=fields)
    assert imported.reasons == ["two values of /conditions/batch_size: 1 and 2"]


def test_a_column_may_tell_points_apart_in_some_rows(run: Run) -> None:
    group = ["run", {"column": "line", "when": {"run": "b"}}]
    table = "run,rate,line\na,1,1\na,1,2\nb,3,3\nb,4,4\n"
    imported = run(table, group=group, id="{run}-{#}")
    assert len(imported.records) == 3


def test_a_second_table_by_key(run: Run) -> None:
    joins = [{"name": "log", "file": "log.csv", "on": {"run": "id"}}]
    results = [RATE, {"metric": "ttft_ms", "statistic": "mean", "column": "log.ttft", "unit": "ms"}]
    joined = {"log.csv": "id,ttft\na,12.5\nx,99\n"}
    imported = run("run,rate\na,1\nb,2\n", joined, joins=joins, results=results)
    assert [len(record["results"]) for record in imported.records.values()] == [2, 1]
    assert imported.records["a"]["results"][1]["value"] == 12.5
    needed = [{**joins[0], "required": True}]
    imported = run("run,rate\na,1\nb,2\n", joined, joins=needed, results=results)
    assert imported.reasons == ["no row of the joined table log has its key"]


def test_a_condition_is_stated_or_absent(run: Run) -> None:
    absent = [
        {
            "condition": "warmup",
            "reason": "unrecoverable",
            "would_need": "the log of {run}",
            "note": "of {run}",
        },
        {"condition": "load", "reason": "not_applicable"},
        {"condition": "scenario", "reason": "withheld", "when": {"run": "z"}},
    ]
    rule = {"field": "/conditions/concurrency", "column": "n"}
    record = stated(run, "run,rate,n\na,1,4\n", rule, absent=absent)
    gaps = {gap["condition"]: gap for gap in record["absent"]}
    assert gaps["warmup"]["note"] == "of a"
    assert "load" not in gaps
    assert gaps["scenario"]["reason"] == "not_stated"
    assert not faults("benchmark", record)


def test_a_wrong_label_is_filed_in_its_true_unit_with_an_entry(run: Run) -> None:
    audit = [
        {
            "action": "reclassification",
            "metric": "tps_aggregate",
            "when": {"label": "Samples/s"},
            "reason": "The summary says {label}; the log shows tokens.",
            "before": [
                {"field": "/metric", "value": "samples_per_s"},
                {"field": "/unit", "value": "samples/s"},
            ],
        }
    ]
    results = [{**RATE, "said": "{label}"}]
    imported = run("run,rate,label\na,21805.8,Samples/s\nb,5,Tokens/s\n", results=results, audit=audit)
    assert [len(record["audit"]) for record in imported.records.values()] == [2, 1]
    record = imported.records["a"]
    assert record["results"][0]["derived_from"]["original"]["unit"] == "Samples/s"
    assert record["audit"][1]["reason"] == "The summary says Samples/s; the log shows tokens."
    told = replay(record)
    assert not told.faults
    first = told.state(1)["results"][0]
    assert (first["metric"], first["value"], first["unit"]) == ("samples_per_s", 21805.8, "samples/s")


def test_a_citation_by_row(run: Run) -> None:
    cite = [
        {
            "source": {"column": "src", "values": {"p": "example-paper"}},
            "locator": "{src} {row}",
            "when": {"src": "p"},
        },
        {
            "source": "example-log",
            "locator": "x",
            "read_from": "chart",
            "tolerance": 0.5,
            "when": {"src": "c"},
        },
    ]
    imported = run("run,rate,src\na,1,p\nb,2,c\n", cite=cite)
    assert imported.records["a"]["sources"] == [
        {"source_id": "example-paper", "locator": "p 1", "read_from": "file"}
    ]
    assert imported.records["b"]["sources"][0]["tolerance"] == 0.5
    evidence = imported.records["a"]["audit"][0]["evidence"]
    assert evidence == [{"source_id": "example-paper", "locator": "p 1"}]


def test_a_row_without_a_citation_would_not_fit_the_schema(run: Run) -> None:
    imported = run(
        "run,rate,src\na,1,q\n", cite=[{"source": "example-log", "locator": "x", "when": {"src": "p"}}]
    )
    assert len(imported.reasons) == 1
    assert imported.reasons[0].startswith("it would not fit the schema: /sources")


def test_names_by_the_whole_spelling(run: Run) -> None:
    rules = [
        {"field": "/model_id", "column": "m", "names": "model"},
        {"field": "/accelerator_ids/0", "column": "c", "names": "accelerator"},
    ]
    record = stated(run, "run,rate,m,c\na,1,Example Seven,EX80\n", *rules)
    assert (record["model_id"], record["accelerator_ids"]) == ("example-7b", ["example-card-80gb-pcie"])
    imported = run("run,rate,m,c\na,1,example-7c,ex80\n", fields=[*FIELDS, *rules])
    assert "model_id" not in imported.only
    notes = {gap["condition"]: gap.get("note") for gap in imported.only["absent"]}
    assert notes["model"] == 'the source says "example-7c", which names no single record'
    assert notes["hardware"] == 'the source says "ex80", which names no single record'
    told = "\n".join(imported.names.report())
    assert "model `example-7c`: no record has that name; nearest: `example-7b`" in told
    assert "accelerator `ex80`: it is listed as ambiguous" in told


def test_the_map_has_spellings_of_its_own(run: Run) -> None:
    rule = {"field": "/model_id", "column": "m", "names": "model"}
    names = {"model": {"the seven": "example-7b", "Example Seven": None}}
    imported = run("run,rate,m\na,1,the seven\nb,2,Example Seven\n", fields=[*FIELDS, rule], names=names)
    assert imported.records["a"]["model_id"] == "example-7b"
    assert "model_id" not in imported.records["b"]


def test_an_engine_without_a_record_is_named_where_its_version_is_absent(run: Run) -> None:
    rules = [
        {"field": "/engine/id", "column": "e", "names": "engine"},
        {"field": "/engine/version", "column": "v", "when": {"e": "example-engine"}},
    ]
    imported = run("run,rate,e,v\na,1,House Engine,2\nb,1,example-engine,0.8.4\n", fields=[*FIELDS, *rules])
    assert not imported.reasons
    assert "engine" not in imported.records["a"]
    absent = {gap["condition"]: gap.get("note") for gap in imported.records["a"]["absent"]}
    assert absent["engine_version"] == 'the source says "House Engine", which names no single record'
    assert {condition for condition, note in absent.items() if note} == {"engine_version"}
    assert imported.records["b"]["engine"] == {"id": "example-engine", "version": "0.8.4"}


def test_a_number_that_the_map_gives_has_no_original(run: Run) -> None:
    """The words of the file are not the number: it would be quoted for what it does not print."""
    table = {"metric": "tps_aggregate", "column": "said", "values": {"twofold": 2}, "unit": "tok/s"}
    constant = {"metric": "tps_aggregate", "value": 3, "unit": "tok/s"}
    column = {"metric": "tps_aggregate", "column": "rate", "unit": "tok/s"}
    (result,) = run("run,rate,said\na,2,twofold\n", results=[table]).only["results"]
    assert (result["value"], "derived_from" in result) == (2, False)
    (result,) = run("run,rate,said\na,2,twofold\n", results=[constant]).only["results"]
    assert (result["value"], "derived_from" in result) == (3, False)
    (result,) = run("run,rate,said\na,2,twofold\n", results=[column]).only["results"]
    assert result["derived_from"]["original"]["key"] == "rate"
