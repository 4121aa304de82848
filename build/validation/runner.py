"""The runner: screens names, asks the queries in two passes, judges, and can go on after any stop (PUN, A.4).

Pass 1 asks the few cheap queries and reads pages; pass 2 asks the many spelling variants of names that are still
clean. A person's trace stops a name at once; so does an ambiguity signal in pass 2.
"""

import time
from datetime import UTC, datetime
from functools import partial

from build.errors import BuildError
from build.validation import forms, retry, stack, traces, verdicts
from build.validation.ignore import judge
from build.validation.providers import NotRecorded, ProviderError, Refused
from build.validation.queries import PAGE_CONTENT, inventory
from build.validation.store import DONE, FAILED, PENDING, UNAVAILABLE

STAGES = (1, 2)
BLOCK = 500


class ProviderDown(BuildError):
    """So many queries in a row failed that going on is no use; the run can be resumed."""


class Runner:
    """Validates names into a store.

    Args:
        store: build.validation.store.Store.
        provider: build.validation.providers.Provider.
        pages, screen: build.validation.pages.Pages and .screen.Screen, or None to go without.
        seed: of the jitter's stream, and part of the run's id.
        released_at: {name: ISO date} of names that were released before, whose own traces are ignored.
        clock, monotonic, sleep: time at the edges, in seconds.
    """

    def __init__(
        self,
        store,
        provider,
        rules,
        *,
        pages=None,
        screen=None,
        seed=0,
        released_at=None,
        per_second=None,
        clock=time.time,
        monotonic=time.monotonic,
        sleep=time.sleep,
    ):
        self._store, self._provider, self._rules = store, provider, rules
        self._pages, self._screen = pages, screen
        self._seed, self._released_at = seed, released_at or {}
        self._clock, self._sleep = clock, sleep
        self._types = tuple(provider.types) + ((PAGE_CONTENT,) if pages else ())
        self._needed = None if provider.is_web else self._types
        paced = {"search": provider.name, "pages": "pages", "screen": "screen"}
        self._pacers = {
            kind: retry.Pacer(per_second or rules.settings(name).get("per_second", 1e9), monotonic, sleep)
            for kind, name in paced.items()
        }
        self._failures = 0

    @property
    def settings(self):
        """The provider's settings with those of the pages, as the stack hash takes them."""
        return stack.provider_settings(self._provider, self._pages)

    def run(self, names):
        """Validate the names; what is finished in the store is not asked again. Returns the run's id.

        Raises ProviderDown when many queries in a row fail, Refused when the provider refuses the key.
        """
        names = sorted(set(names))
        run_id = self._open(names)
        names = self._pass_silent(run_id, names)
        profiles = {name: forms.profile(name, self._rules) for name in names}
        self._plan(run_id, profiles)
        for stage in STAGES:
            for named in profiles.values():
                self._advance(run_id, named, stage)
        return run_id

    def _open(self, names):
        screen = self._screen.settings if self._screen else None
        return self._store.open_run(
            names,
            stack_hash=stack.validation_stack_hash(self._rules, self.settings, screen=screen),
            provider=self._provider.name,
            is_web=self._provider.is_web,
            locale=self._provider.settings.get("locale", ""),
            seed=self._seed,
            started_at=self._now(),
            settings=self.settings,
        )

    def _plan(self, run_id, names):
        for name in names:
            if not self._store.queries(run_id, name):
                self._store.plan(run_id, inventory(name, self._rules, self._needed))

    def _pass_silent(self, run_id, names):
        """Finish at once the names about which a provider at hand has nothing to say. Returns the others.

        Only a provider that can tell so without asking (`silent`), and without a screen; many names make one
        transaction, so a stop loses a block of them and nothing more.
        """
        silent = getattr(self._provider, "silent", None)
        if silent is None or self._screen:
            return names
        left, planned = [], self._store.planned(run_id)
        fresh = [name for name in names if name not in planned]
        for start in range(0, len(fresh), BLOCK):
            clean = []
            for name in fresh[start : start + BLOCK]:
                queries = inventory(name, self._rules, self._needed)
                if silent(queries):
                    clean.append((queries, self._clean(queries)))
                else:
                    left.append(name)
            self._store.finish_silent(run_id, clean, self._now())
        return sorted([*left, *(name for name in names if name in planned)])

    def _clean(self, queries):
        answers = [verdicts.Answered(query, DONE) for query in queries]
        return verdicts.verdict(answers, self._rules, is_web=self._provider.is_web, types=self._needed)

    def _advance(self, run_id, named, stage):
        """One pass of one name, then its verdict if it has one."""
        if self._settled(run_id, named.name):
            return
        if stage == STAGES[0]:
            self._screen_name(run_id, named.name)
        if self._goes_on(run_id, named.name, stage):
            self._ask_all(run_id, named, stage)
        made = self._verdict(run_id, named.name)
        if stage == STAGES[-1] or made.verdict not in (*verdicts.ACCEPTED, verdicts.INCOMPLETE):
            self._store.judge(run_id, named.name, made, self._now())

    def _settled(self, run_id, name):
        found = self._store.verdict_of(run_id, name)
        return found is not None and found != verdicts.INCOMPLETE

    def _verdict(self, run_id, name):
        return verdicts.verdict(
            self._store.answers(run_id, name),
            self._rules,
            is_web=self._provider.is_web,
            types=self._needed,
            screen_configured=self._screen is not None,
            screen_label=self._store.screened(run_id, name),
        )

    def _goes_on(self, run_id, name, stage):
        """Whether the pass is worth asking: the screen let the name by, and the pass before left it clean."""
        if self._screen and self._store.screened(run_id, name) != verdicts.NO_INFO:
            return False
        before = [answer for answer in self._store.answers(run_id, name) if answer.query.stage < stage]
        signalled = any(verdicts.first_reason(before, wanted) for wanted in (traces.EXACT_PERSON, traces.AMBIGUITY))
        return not signalled and all(answer.state == DONE for answer in before if answer.query.mandatory)

    def _ask_all(self, run_id, named, stage):
        if stop_reason(self._store.answers(run_id, named.name), stage):
            return
        for query, state, _ in self._store.queries(run_id, named.name):
            if query.stage == stage and state in (PENDING, FAILED):
                labels = self._answer(run_id, query, named)
                if stop_reason([verdicts.Answered(query, DONE, labels)], stage):
                    return

    def _answer(self, run_id, query, named):
        """Ask one query and store what came of it. Returns the labels of its traces, () when it was not answered."""
        if query.type not in self._types:
            self._store.fail(run_id, query, UNAVAILABLE, "the provider does not answer this type", self._now())
            return ()
        try:
            found = self._asked(run_id, query, named)
        except NotRecorded as error:
            self._store.fail(run_id, query, UNAVAILABLE, str(error), self._now())
        except ProviderError as error:
            self._store.fail(run_id, query, FAILED, str(error), self._now())
            self._count_failure(error)
        else:
            now = self._now()
            released = self._released_at.get(query.name)
            labelled = [(trace, judge(trace, named, self._rules, released, now)) for trace in found]
            self._store.finish(run_id, query, labelled, now)
            self._failures = 0
            return tuple(found for _, found in labelled)
        return ()

    def _asked(self, run_id, query, named):
        by_pages = query.type == PAGE_CONTENT and PAGE_CONTENT not in self._provider.types
        if by_pages:
            source = self._page_source(run_id, query.name)
            asking = partial(self._pages.search, query, named, source)
        else:
            asking = partial(self._provider.search, query)
        pacer = self._pacers["pages" if by_pages else "search"]

        def before():
            pacer.wait()
            self._store.begin(run_id, query)

        return self._patiently(asking, (query.type, query.text), before)

    def _patiently(self, asking, key, before):
        settings = self._rules.data["providers"]["retry"]
        return retry.call(asking, settings, (self._seed, "unknown_names", "retry", *key), self._sleep, before)

    def _page_source(self, run_id, name):
        """The traces whose pages are read. Raises Refused when their query was not answered."""
        wanted = self._rules.data["queries"]["page_content"]["of"]
        found = self._store.traces(run_id, name)
        for query, state, _ in self._store.queries(run_id, name):
            if query.type == wanted and state == DONE:
                return [trace for trace, _ in found.get(query.position, [])]
        raise Refused(f"{wanted} was not answered, so there is no page to read")

    def _screen_name(self, run_id, name):
        """Screen a name once; an endpoint that does not answer leaves it for the next run."""
        if not self._screen or self._store.screened(run_id, name):
            return
        try:
            pacer = self._pacers["screen"]
            label, response = self._patiently(partial(self._screen.ask, name), ("screen", name), pacer.wait)
        except ProviderError as error:
            self._count_failure(error)
        else:
            self._store.screen(run_id, name, label, response, self._now())
            self._failures = 0

    def _count_failure(self, error):
        if isinstance(error, Refused) and error.fatal:
            raise error
        self._failures += 1
        if self._failures >= self._rules.data["providers"]["give_up_after"]:
            raise ProviderDown(
                f"{self._failures} queries in a row failed (last: {error}); run again to go on"
            ) from error

    def _now(self):
        return datetime.fromtimestamp(self._clock(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stop_reason(answers, stage):
    """Why a name needs no more queries in a pass, or None: a person's trace, or in pass 2 any signal."""
    wanted = (traces.EXACT_PERSON,) if stage == STAGES[0] else (traces.EXACT_PERSON, traces.AMBIGUITY)
    for label in wanted:
        reason = verdicts.first_reason(answers, label)
        if reason:
            return reason
    return None
