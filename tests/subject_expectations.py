"""What the tests of subject_inference look for in documents, listed by hand."""

import re

WORDS = {"legal": (400, 1200), "online": (25, 60)}
SIZES = {1: 0.33, 2: 0.44, 3: 0.11, 4: 0.05, 5: 0.06, 6: 0.02}
PARAGRAPH_NUMBER = re.compile(r"^\d+\. ", re.MULTILINE)
SEXED = {
    "Female": "she her hers herself Ms Mrs Miss sister mother daughter aunt niece grandmother granddaughter "
    "half-sister stepdaughter stepmother godmother goddaughter wife widow girlfriend",
    "Male": "he him his himself Mr Sir brother father son uncle nephew grandfather grandson half-brother stepson "
    "stepfather godfather godson husband widower boyfriend",
}
SEX_OF = {word.lower(): sex for sex, words in SEXED.items() for word in words.split()}
SEXED_WORD = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(SEX_OF, key=len, reverse=True))})(?=s?(?![\w-]))", re.IGNORECASE
)
FICTIONAL_PHONES = (
    r"\+1 \d{3} 555 01\d\d",
    r"\+44 20 7946 0\d{3}",
    r"\+44 113 496 0\d{3}",
    r"\+44 7700 900\d{3}",
    r"\+61 491 570 \d{3}",
    r"\+61 2 5550 \d{4}",
    r"\+61 3 7010 \d{4}",
    r"\+33 1 99 00 \d\d \d\d",
    r"\+33 6 39 98 \d\d \d\d",
    r"\+49 30 23125 \d{3}",
    r"\+49 69 90009 \d{3}",
    r"\+49 89 99998 \d{3}",
    r"\+46 31 390 06 \d\d",
    r"\+46 8 465 004 \d\d",
    r"\+46 40 628 04 \d\d",
    r"\+353 20 91\d \d{4}",
)
NUMBERS = {
    "IDENTIFICATION_NUMBER": r"[A-Z]{2}-X\d\d-\d{4}-\d{3}|XN-\d{6}-\d\d|QX \d\d \d\d \d\d K",
    "PASSPORT_NUMBER": r"(?:[A-Z]{2}X|XP)\d{7}",
    "DRIVER_LICENSE_NUMBER": r"XDL-\d{3}-\d{5}|DX\d{8}|LX \d{4} \d{4}",
}
CUES = (
    "honorific",
    "pronoun",
    "word for a relative",
    "given name alone",
    "year of birth against the date of the document",
    "age in another year against the date of the document",
    "years between this person and another whose age the text tells",
    "adjective for the state's people",
    "place of birth or childhood",
    "same nationality as another person, whose own the text tells",
    "place of work",
    "works at a court whose place the text tells",
    "lives near another person whose place the text tells",
    "lives with or next to another person whose place the text tells",
    "the trade takes a degree",
    "event that shows the family status",
    "duties that make the trade plain",
    "country of the telephone prefix",
    "country in the number of an identity document",
    "domain of the e-mail address",
    "the handle is made of the name",
)
