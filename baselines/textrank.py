"""An extractive summariser (sumy's TextRank): half of a text's sentences, those that rank highest, in order."""

import re
from functools import cache

NAME = "textrank"
SHARE = 2
WORD = re.compile(r"\w+")


class Tokens:
    """Sentences as spaCy's rules part them, words as runs of letters and digits: what sumy asks of a tokeniser."""

    def to_sentences(self, text):
        """The sentences of a text, in order."""
        return [sentence.text for sentence in sentencizer()(text).sents if sentence.text.strip()]

    def to_words(self, sentence):
        """The words of a sentence, in order."""
        return WORD.findall(sentence)


@cache
def sentencizer():
    """spaCy's rule-based splitter of sentences, which needs no model."""
    import spacy

    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    return pipeline


@cache
def summarizer():
    """sumy's TextRank without English stop words."""
    from spacy.lang.en.stop_words import STOP_WORDS
    from sumy.summarizers.text_rank import TextRankSummarizer

    made = TextRankSummarizer()
    made.stop_words = sorted(STOP_WORDS)
    return made


def summarise(text):
    """The sentences kept, joined by spaces: half of them, rounded up; a text without sentences gives ""."""
    from sumy.parsers.plaintext import PlaintextParser

    document = PlaintextParser.from_string(text, Tokens()).document
    count = -(-len(document.sentences) // SHARE)
    return " ".join(map(str, summarizer()(document, count)))
