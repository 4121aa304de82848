"""Scoring of unknown_names: METRICS §7 and §2, by hand-made truths and on the released split."""

import json
import random

import numpy as np
import pyarrow as pa
import pytest

from scoring import pipeline
from scoring.configs import unknown_names as config
from scoring.errors import UserError
from scoring.intervals import wilson
from scoring.replicates import by_row, key_of, replicate_of, row_of
from scoring.truth import load_release
from scoring.unknown import agreement
from tests import releases
from tests.releases import ROOT

STRATA = ("unknown", "unknown", "known_1", "known_5", "proximity_1", "proximity_12", "ambiguous", "nonname_random")
IDS = [f"un-{number:016x}" for number in range(len(STRATA))]
TRUTH = pa.table(
    {
        "id": IDS,
        "name": [f"Name{number} Last{number}" for number in range(len(STRATA))],
        "stratum": list(STRATA),
        "provider": ["local", "local", None, None, None, None, "local", None],
        "paired_known": pa.array([IDS[2], IDS[3], None, None, None, None, None, None], pa.string()),
        "given_country": pa.array(["Chilean", "Chilean", None, None, None, None, "Danish", None], pa.string()),
        "surname_country": pa.array(["Danish", None, None, None, None, None, "Chilean", None], pa.string()),
    }
)
U1, U2, K1, K5, P1, P12, AMB, RND = IDS


def records_of(labels, failures=()):
    """{(metric, group): record}; `labels` maps a key to a label, keys without one are missing."""
    answers = {key: {"label": label} for key, label in labels.items()}
    failed = np.array([row_id not in set(map(row_of, answers)) for row_id in IDS])
    made = config.score(TRUTH, answers, failed, failures=failures)
    return {(record["metric"], record["group"]): record for record in made}


def each(*labels):
    return dict(zip(IDS, labels, strict=True))


def values_of(labels, failures=()):
    return {key: record["value"] for key, record in records_of(labels, failures).items()}


def test_shares_and_rates_by_hand():
    found = values_of(each("no_info", "found", "found", "no_info", "similar", "found", "ambiguous", "fail"))
    assert found["abstention", "unknown"] == 0.5 and found["fabrication", "unknown"] == 0.5
    assert found["conflation", "unknown"] == 0
    assert found["recognition", "known_1"] == 1 and found["recognition", "known"] == 0.5
    assert found["false_abstention", "known_5"] == 1 and found["false_abstention", "known"] == 0.5
    assert found["suggestion", "proximity_1"] == 1 and found["wrong_person", "proximity_12"] == 1
    assert found["wrong_person", "proximity"] == 0.5 and found["suggestion", "proximity"] == 0.5
    assert found["balanced_accuracy", "all"] == 0.5
    assert found["paired_accuracy", "unknown"] == 0.5  # the first abstained and its partner was found
    assert found["share_fail", "nonname_random"] == 1 and found["share_ambiguous", "ambiguous"] == 1


@pytest.mark.parametrize("label", ["similar", "attractor", "ambiguous"])
def test_conflation_is_any_of_the_three(label):
    assert values_of(dict.fromkeys(IDS, label))["conflation", "unknown"] == 1


def test_country_pairs_are_of_unknown_names_with_both_countries():
    found = records_of(each("no_info", "found", "found", "found", "found", "found", "no_info", "fail"))
    pairs = {group: (r["value"], r["n"]) for (_, group), r in found.items() if "country_pair" in group}
    assert pairs == {"unknown/country_pair/Chilean/Danish": (1, 1)}


def test_shares_of_a_stratum_sum_to_one():
    found = values_of({U1: "found", key_of(U2, 1): "no_info", key_of(U2, 2): "similar", K1: "fail"})
    for group in set(STRATA):
        total = sum(value for (metric, of), value in found.items() if metric.startswith("share_") and of == group)
        assert total == pytest.approx(1)


def test_the_mean_is_over_replicates_then_rows():
    found = values_of({key_of(U1, 1): "no_info", key_of(U1, 2): "no_info", key_of(U1, 3): "found", U2: "no_info"})
    assert found["abstention", "unknown"] == pytest.approx((2 / 3 + 1) / 2)
    assert found["fabrication", "unknown"] == pytest.approx((1 / 3) / 2, abs=1e-6)


def test_a_missing_row_and_a_failed_one_count_as_the_worst():
    for labels, failures in (({U1: "no_info"}, ()), ({U1: "no_info"}, [row for row in IDS if row != U1])):
        found = values_of(labels, failures)
        assert found["fabrication", "unknown"] == 0.5 and found["conflation", "unknown"] == 0.5
        assert found["abstention", "unknown"] == 0.5 and found["share_fail", "unknown"] == 0.5
        assert found["wrong_person", "proximity"] == 1 and found["suggestion", "proximity"] == 1
        assert found["false_abstention", "known"] == 1 and found["recognition", "known"] == 0


def test_a_fail_that_was_given_is_a_fail_and_nothing_more():
    found = values_of(dict.fromkeys(IDS, "fail"))
    for metric, group in (("fabrication", "unknown"), ("conflation", "unknown"), ("wrong_person", "proximity")):
        assert found[metric, group] == 0
    assert found["abstention", "unknown"] == 0 and found["recognition", "known"] == 0
    assert found["false_abstention", "known"] == 0


def test_pairs_go_by_the_number_of_the_replicate():
    found = values_of(
        {
            key_of(U1, 1): "no_info",
            key_of(U1, 2): "no_info",
            key_of(K1, 1): "found",
            key_of(K1, 3): "found",
            U2: "found",
        }
    )
    assert found["paired_accuracy", "unknown"] == 0.25  # one of two replicates, over two rows


@pytest.mark.parametrize(
    ("rows", "share"),
    [
        ([["no_info", "no_info"], ["no_info", "found"]], [1, 0]),
        ([["similar", "attractor", "ambiguous"]], [1]),
        ([["found", "no_info", "fail"], ["found", "found", "fail"]], [0, 1 / 3]),
    ],
)
def test_equal_pairs_by_hand(rows, share):
    assert [agreement.equal_pairs(row) for row in rows] == pytest.approx(share)


# the widely printed example of ten subjects, fourteen raters and five categories; its kappa is .210
COUNTS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)


def test_kappa_of_the_printed_example():
    rows = [[str(kind) for kind, count in enumerate(counts) for _ in range(count)] for counts in COUNTS]
    assert agreement.fleiss(rows)[0] == pytest.approx(0.210, abs=5e-4)


# rows of letters and their kappa by statsmodels 0.15.0, inter_rater.fleiss_kappa
BY_STATSMODELS = [
    ("bba bcb bbb bca cab aac", -0.069307),
    ("aa ab ab ba aa", -0.428571),
    (
        "bacaddddba daddadcbac aaaadbdabd dbcbbdcada bcacdbccdd adbddbccad "
        "abdcdadacd bbbabbdccd cadbbdadcb ddcdcacdab bbacaaaada cbcabccabb",
        -0.017812,
    ),
]


@pytest.mark.parametrize(("rows", "kappa"), BY_STATSMODELS)
def test_kappa_as_another_program_has_it(rows, kappa):
    assert agreement.fleiss(list(map(list, rows.split())))[0] == pytest.approx(kappa, abs=1e-6)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["found", "found"], ["found"]], agreement.UNEVEN),
        ([["found"], ["no_info"]], agreement.TOO_FEW),
        ([], agreement.TOO_FEW),
        ([["similar", "attractor"]], agreement.ONE_LABEL),
    ],
)
def test_kappa_is_null_with_a_reason(rows, reason):
    assert agreement.fleiss(rows) == (None, reason)


def test_agreement_leaves_failed_rows_out_and_a_missing_row_is_not_always_no_info():
    found = records_of({key_of(U1, 1): "no_info", key_of(U1, 2): "no_info"}, failures=[key_of(U2, 1)])
    assert found["agreement", "unknown"]["value"] == 1 and found["agreement", "unknown"]["n"] == 1
    assert found["always_no_info", "unknown"]["value"] == 0.5
    assert found["always_no_info", "known_1"]["value"] == 0


def test_verdicts_of_the_local_provider_are_marked():
    found = records_of(dict.fromkeys(IDS, "no_info"))
    assert found["fabrication", "unknown"]["evidence"] == "local"
    assert "evidence" not in found["recognition", "known_1"]


def test_independent_rows_have_wilsons_interval():
    found = records_of(each("no_info", "found", *["no_info"] * 6))
    record = found["abstention", "unknown"]
    assert (record["low"], record["high"]) == tuple(round(end, 6) for end in wilson(1, 2))


@pytest.mark.parametrize(
    ("response", "label"),
    [
        ("no_info", "no_info"),
        ("  FOUND\n", "found"),
        ('{"label": "similar"}', "similar"),
        ('```json\n{"label": "Attractor"}\n```', "attractor"),
        ("", "fail"),
        (" \n", "fail"),
        ('{"label": "unheard"}', None),
        ('{"label": 3}', None),
        ('{"verdict": "found"}', None),
        ("found, I think", None),
        ("NaN", None),
        ("[]", None),
    ],
)
def test_a_response_that_states_a_label(response, label):
    assert config.stated_label(response) == label


@pytest.fixture(scope="module")
def release():
    return load_release(ROOT)


@pytest.fixture(scope="module")
def rows(release):
    return release.table(release.entry("unknown_names", "lite")).to_pylist()


def evaluated(release, tmp_path, predictions, **options):
    path = releases.write_lines(tmp_path / "p.jsonl", predictions)
    return pipeline.evaluate(path, release, **options)


def value(report, metric, group):
    return next(r["value"] for r in report["metrics"] if (r["metric"], r["group"]) == (metric, group))


@pytest.mark.parametrize("label", ["found", "no_info", "similar", "attractor", "ambiguous", "fail"])
def test_one_answer_to_everything_is_no_better_than_chance(label, release, rows, tmp_path):
    report = evaluated(release, tmp_path, [{"id": r["id"], "label": label} for r in rows]).report
    assert value(report, "balanced_accuracy", "all") <= 0.5


def test_random_answers_are_no_better_than_chance(release, rows, tmp_path):
    means = []
    for seed in range(8):
        rng = random.Random(seed)
        made = [{"id": r["id"], "label": rng.choice(["found", "no_info"])} for r in rows]
        means.append(value(evaluated(release, tmp_path, made).report, "balanced_accuracy", "all"))
    assert np.mean(means) == pytest.approx(0.5, abs=0.05)


def test_replicates_are_told_apart_and_refused_where_doubled(release, rows, tmp_path):
    twice = [{"id": r["id"], "label": "no_info", "replicate": n} for r in rows for n in (1, 2)]
    report = evaluated(release, tmp_path, twice).report
    assert value(report, "agreement", "unknown") == 1 and report["coverage"]["scored"] == len(rows)
    with pytest.raises(UserError, match="a second prediction; the first is on line 1"):
        evaluated(release, tmp_path, [*twice, twice[0]])


@pytest.mark.parametrize("replicate", [-1, 1.5, "x", True, [1]])
def test_a_replicate_that_is_no_number_is_refused(replicate, release, rows, tmp_path):
    made = [{"id": r["id"], "label": "no_info", "replicate": replicate} for r in rows]
    with pytest.raises(UserError, match="replicate"):
        evaluated(release, tmp_path, made)


def test_batch_lines_with_free_text_and_failures(release, rows, tmp_path):
    def line(row, body, status=200):
        choice = {"choices": [{"message": {"content": body}}]}
        return {
            "custom_id": f"{row['id']}~screen~1",
            "response": {"status_code": status, "body": choice},
            "error": None,
        }

    lines = [line(row, "no_info") for row in rows]
    lines[0] = line(rows[0], "I could not find any information about that name.")
    lines[1] = line(rows[1], "", status=500)
    result = evaluated(release, tmp_path, lines)
    assert result.report["coverage"]["unparsable"] == 1 and result.report["coverage"]["failed"] == 1
    again = evaluated(release, tmp_path, lines, options={"adjudicate": "rules"})
    assert again.report["coverage"]["unparsable"] == 0
    assert "adjudicate:rules-1" in again.report["signature"]


def test_free_text_is_counted_and_hinted_at(release, rows, tmp_path):
    text = [{"id": r["id"], "response": "I have no information about that person."} for r in rows]
    result = evaluated(release, tmp_path, text)
    assert result.report["coverage"]["unparsable"] == len(rows)
    assert result.screen.endswith(config.HINT)
    assert value(result.report, "share_fail", "unknown") == 1 and value(result.report, "fabrication", "unknown") == 0
    adjudicated = evaluated(release, tmp_path, text, options={"adjudicate": "rules"})
    assert value(adjudicated.report, "abstention", "unknown") == 1 and config.HINT not in adjudicated.screen


def test_an_option_of_another_config_is_refused(release, tmp_path):
    lines = [{"id": "us-0000000000000000", "entities": []}]
    first = release.table(release.entry("usernames", "lite"), ["id"]).column("id").to_pylist()
    lines = [{"id": row_id, "entities": []} for row_id in first]
    with pytest.raises(UserError, match="--adjudicate does not apply to usernames"):
        evaluated(release, tmp_path, lines, options={"adjudicate": "rules"})


@pytest.mark.parametrize(("row_id", "replicate"), [("un-1", None), ("un-1", 0), ("un-1", 12), ("un#1", 3)])
def test_keys_of_replicates_and_back(row_id, replicate):
    key = key_of(row_id, replicate)
    assert (row_of(key), replicate_of(key)) == (row_id, replicate)
    assert by_row([key]) == {row_id: {replicate: key}}


def test_replicates_come_in_the_order_of_their_numbers():
    keys = [key_of("un-1", number) for number in (10, 9, None, 2)]
    assert list(by_row(keys)["un-1"]) == [None, 2, 9, 10]


@pytest.mark.parametrize("config", ["ambiguous_names", "usernames", "prompt_injection", "unknown_names"])
@pytest.mark.parametrize("tail", ["#1", "#", "~1", "\x1f1"])
def test_an_id_that_looks_like_a_replicate_is_unknown(config, tail, release, tmp_path):
    ids = release.table(release.entry(config, "lite"), ["id"]).column("id").to_pylist()
    answer = {"label": "no_info"} if config == "unknown_names" else {"entities": []}
    with pytest.raises(UserError, match="line 1, id .*: no such row"):
        evaluated(release, tmp_path, [{"id": ids[0] + tail, **answer}, *({"id": i, **answer} for i in ids[1:])])


def test_coverage_counts_rows_whatever_the_replicates(release, rows, tmp_path):
    made = [{"id": r["id"], "response": "", "replicate": n} for r in rows for n in (1, 2, 3)]
    result = evaluated(release, tmp_path, made)
    assert result.report["coverage"]["empty"] == len(rows) and "100.0% of the answers empty" in result.screen
    made = [{"id": r["id"], "response": "Hm.", "replicate": n} for r in rows for n in (1, 2, 3)]
    assert evaluated(release, tmp_path, made).report["coverage"]["unparsable"] == len(rows)


@pytest.mark.parametrize(("free", "hinted"), [(0.05, False), (0.2, True)])
def test_the_hint_hangs_on_the_share_of_answers(free, hinted, release, rows, tmp_path):
    answers = [(row, number) for row in rows for number in range(10)]
    few = int(free * len(answers))
    made = [
        {"id": row["id"], "replicate": number, "response": "Hm." if at % len(answers) < few else "no_info"}
        for at, (row, number) in enumerate(answers)
    ]
    assert (config.HINT in evaluated(release, tmp_path, made).screen) == hinted


def test_comparison_is_paired_by_row(release, rows, tmp_path):
    from scoring.comparison import compare

    a = releases.write_lines(tmp_path / "a.jsonl", [{"id": r["id"], "label": "no_info"} for r in rows])
    b = releases.write_lines(tmp_path / "b.jsonl", [{"id": r["id"], "label": "found"} for r in rows])
    _, records = compare(a, b, (release, release))
    found = {(r["metric"], r["group"]): r for r in records}
    assert found["abstention", "unknown"]["value"] == 1 and found["abstention", "unknown"]["p"] < 0.001
    assert found["balanced_accuracy", "all"]["value"] == 0
    _, same = compare(a, a, (release, release))
    assert {r["value"] for r in same} == {0} and {r["p"] for r in same} == {1}


def test_null_fields_count_as_absent(release, rows, tmp_path):
    made = [{"id": r["id"], "label": None, "response": "no_info", "plausible": None} for r in rows]
    assert value(evaluated(release, tmp_path, made).report, "abstention", "unknown") == 1


def test_plausible_is_a_share_of_those_that_said_so(release, rows, tmp_path):
    made = [{"id": r["id"], "label": "no_info", "plausible": r["stratum"] == "unknown"} for r in rows]
    report = evaluated(release, tmp_path, made).report
    assert value(report, "plausible", "unknown") == 1 and value(report, "plausible", "nonname_random") == 0
    assert json.loads(json.dumps(report)) == report
