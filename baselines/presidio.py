"""Presidio (presidio-analyzer 2.2.366) with all its default recognisers for English over spaCy's medium pipeline."""

from functools import cache

from baselines import parallel, spacy_md

NAME = "presidio"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")


@cache
def analyzer():
    """An analyzer with the engine given: left to itself, Presidio would download a model and a list of domains."""
    import tldextract
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    engine = SpacyNlpEngine()
    engine.nlp = {"en": spacy_md.load(exclude=())}
    return AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])


def detect(text):
    """Presidio's findings in a text, in text order."""
    found = analyzer().analyze(text, language="en")
    found.sort(key=lambda finding: (finding.start, finding.end, finding.entity_type))
    return [
        {"text": text[one.start : one.end], "type": one.entity_type, "start": one.start, "end": one.end}
        for one in found
    ]


def predict(rows, processes=parallel.PROCESSES):
    """Yield a prediction for each row, with Presidio's labels and offsets."""
    return parallel.each(detect, rows, processes)
