# Every target sets up what it needs in .venv; run from the repository root.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes
PREDICTIONS ?= baselines/predictions/ambiguous_names.lite.spacy_md.jsonl.gz
SEED ?= 1
REPORTS ?= $(wildcard baselines/reports/*.json)
PAGE ?= baselines/report.html

.PHONY: help score test integrations-test verify release variant collect baselines report perf check-templates tables card push clean

help:
	@echo "make score [PREDICTIONS=file]  verify the release and score predictions (by default spaCy's for lite)"
	@echo "make test                      the test suite, and that of the integrations"
	@echo "make integrations-test         the tests of integrations/ alone"
	@echo "make variant SEED=7            a fresh variant in variants/7"
	@echo "make release                   rebuild the release from the lexicons"
	@echo "make collect                   rebuild the lexicons from the source packages (needs pip and npm)"
	@echo "make check-templates           run the tagger over the template inventories"
	@echo "make perf                      speed, as ratios to peers"
	@echo "make report [REPORTS=files]    draw score reports (by default the baselines') as one page, baselines/report.html"
	@echo "make card                      rewrite the card's generated parts, croissant.json, .huggingface.yaml"
	@echo "make push REPO= TAG= [DRY_RUN=1]  send the release to the Hugging Face Hub"
	@echo "make baselines                 run the baseline systems and rewrite their reports and tables"

$(VENV)/core: requirements.txt
	@echo "setting up $(VENV) (once)"
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/collect: $(VENV)/core requirements-collect.txt
	@$(PIP) -r requirements-collect.txt
	@touch $@

$(VENV)/baselines: $(VENV)/core requirements-baselines.txt
	@$(PIP) -r requirements-baselines.txt
	@touch $@

# the tagger asks for an older spaCy than the baselines pin, and works with theirs
$(VENV)/templates: $(VENV)/baselines requirements-templates.txt
	@$(PIP) --no-deps -r requirements-templates.txt
	@touch $@

$(VENV)/report: $(VENV)/core requirements-report.txt
	@$(PIP) -r requirements-report.txt
	@touch $@

$(VENV)/cluster: $(VENV)/core requirements-cluster.txt
	@$(PIP) -r requirements-cluster.txt
	@touch $@

$(VENV)/test: $(VENV)/core $(VENV)/perf $(VENV)/baselines $(VENV)/collect $(VENV)/templates $(VENV)/report $(VENV)/cluster requirements-test.txt
	@$(PIP) -r requirements-test.txt
	@touch $@

# inspect-ai asks for an older fsspec than requirements.txt pins, so the integrations have an environment of their own;
# the list is whole, and pip trips over an extra that one of its packages asks for (typepy) unless it is told so
$(VENV)/integrations/done: requirements-integrations.txt
	@echo "setting up $(VENV)/integrations (once)"
	@test -x $(VENV)/integrations/bin/python || $(PYTHON) -m venv $(VENV)/integrations
	@$(VENV)/integrations/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  -r requirements-integrations.txt
	@touch $@

$(VENV)/perf: $(VENV)/core requirements-perf.txt
	@$(PIP) -r requirements-perf.txt
	@touch $@

score: $(VENV)/core
	@$(RUN) -m build verify
	@$(RUN) score.py evaluate $(PREDICTIONS)

test: $(VENV)/test
	@$(RUN) -m ruff check .
	@$(RUN) -m pytest
	@$(MAKE) --no-print-directory integrations-test

integrations-test: $(VENV)/integrations/done
	@$(VENV)/integrations/bin/python -m pytest -W ignore integrations/tests

verify: $(VENV)/core
	@$(RUN) -m build verify

release: $(VENV)/core
	@$(RUN) -m build release

variant: $(VENV)/core
	@$(RUN) -m build variant --seed $(SEED) --out variants/$(SEED)

collect: $(VENV)/collect
	@$(RUN) -m build collect

baselines: $(VENV)/baselines
	@$(RUN) -m baselines run
	@$(RUN) -m baselines summaries
	@$(RUN) -m baselines subjects
	@$(RUN) -m baselines ship
	@$(RUN) -m baselines table

report: $(VENV)/report
	@$(RUN) report.py $(REPORTS) --out $(PAGE)

perf: $(VENV)/perf
	@$(RUN) -m perf

check-templates: $(VENV)/templates
	@$(RUN) -m build check-templates

tables: $(VENV)/core
	@$(RUN) -m baselines table

card: $(VENV)/core
	@$(RUN) -m build card

push: $(VENV)/core
	@$(RUN) -m build push --repo "$(REPO)" --tag "$(TAG)" $(if $(DRY_RUN),--dry-run)

clean:
	rm -rf $(VENV) .cache .pytest_cache .ruff_cache .hypothesis
