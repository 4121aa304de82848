"""Solver, scorer and metric of the tasks: replies are kept as batch lines, and the numbers are those of scoring/."""

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import SampleScore, Score, metric, scorer
from inspect_ai.solver import solver

from integrations.errors import ParameterError
from integrations.results import numbers, report_of
from integrations.runs import Run, line
from scoring import batch
from scoring.answers import stage_answer
from scoring.configs import BY_NAME
from scoring.subset import NothingToScore

GIVEN = "nymbench_lines"
REFUSAL = "content_filter"
AUDITORS = {"audit": "auditor", "adjudicate": "adjudicator"}
ADVERSARY = "adversary"
REASONS = {batch.REFUSED: "refusal", batch.UNPARSABLE: "invalid_response_format", batch.FAILED: "no_response"}


def chat(messages):
    """Messages [{"role", "content"}, …] as inspect's."""
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser}
    return [kinds[one["role"]](content=one["content"]) for one in messages]


def _line_of(row_id, stage, output):
    """A batch line of a model's output; without a choice the request failed."""
    if not output.choices:
        return line(row_id, stage, None)
    return line(row_id, stage, output.completion, refused=output.stop_reason == REFUSAL)


def _model(stage, form):
    """Who is asked at a later stage: the model of a role, which is the one under test unless --model-role gives it."""
    role = AUDITORS.get(stage) or (ADVERSARY if form == "anonymise_and_infer" else None)
    return get_model(role=role) if role else get_model()


@solver
def later_stages(config: str, form: str, variant: str):
    """Ask the stages after the first, in conversations of their own, and keep the batch lines of all."""
    run = Run(config, form, variant=variant)

    async def solve(state, generate):
        steps = run.asked(state.metadata)
        stage, _ = next(steps)
        lines = [_line_of(state.sample_id, stage, state.output)]
        for stage, messages in _answered(steps, lines):
            lines.append(_line_of(state.sample_id, stage, await _model(stage, form).generate(chat(messages))))
        state.store.set(GIVEN, lines + run.lost(state.sample_id, lines))
        return state

    return solve


def _answered(steps, lines):
    """The further steps, each asked for by the line that answered the last."""
    while True:
        try:
            yield steps.send(lines[-1])
        except StopIteration:
            return


@scorer(metrics=[])
def answered(config: str, form: str):
    """1 where every stage's reply could be read, else 0; the lines and what was read of them stand in the metadata."""
    module, first = BY_NAME[config], Run(config, form).stages[0]

    async def score(state, target):
        lines = state.store.get(GIVEN) or [_line_of(state.sample_id, first, state.output)]
        read, faults = {}, {}
        for one in lines:
            _, stage, _ = batch.split_id(one["custom_id"])
            try:
                read[stage] = stage_answer(state.sample_id, stage, one, module)
            except batch.NoAnswer as error:
                faults[stage] = error.kind
        return Score(
            value=int(not faults),
            answer=state.output.completion,
            reason=next((REASONS[kind] for kind in faults.values()), None),
            metadata={"lines": lines, "epoch": state.epoch, "answers": read, "faults": faults},
        )

    return score


@metric(scores="unreduced")
def nymbench(**parameters):
    """The headline numbers of all samples together; parameters are those of runs.Run.

    inspect calls it while the run goes on as well, where no pair may be whole yet.
    """
    run = Run(**parameters)

    # inspect takes a metric without this annotation for one of its older kind, which gets no ids
    def numbers_of(scores: list[SampleScore]):
        given = [one.score.metadata for one in scores]
        several = any(found["epoch"] > 1 for found in given)
        if several and not run.module.REPLICATES:
            raise ParameterError(f"{run.config} takes no replicates: every row is answered once, so leave out --epochs")
        lines = [one for found in given for one in _numbered(found["lines"], found["epoch"] if several else "")]
        try:
            made = numbers(run, report_of(run, lines))
        except NothingToScore:
            return {"coverage/expected": 0}
        return {name: value for name, value in made.items() if value is not None}

    return numbers_of


def _numbered(lines, replicate):
    for one in lines:
        row_id, stage, _ = batch.split_id(one["custom_id"])
        yield {**one, "custom_id": batch.custom_id(row_id, stage, replicate)}
