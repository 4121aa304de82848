"""Numbers and addresses: identifiers by their letters and digits, phones by national digits, e-mail (METRICS §8)."""

import re
import unicodedata

from scoring import schemas
from scoring.text import comparison_form

CODES = schemas.load("calling_codes.json")
FRAGMENT, FRAGMENT_SHARE = 4, 0.4
LONGEST = 400
NORTH_AMERICAN = 11


def score(tag, guess, text):
    """How far a guess is a true identifier of a tag: 1, .5 or 0."""
    if tag == "PHONE_NUMBER":
        said, true = national(guess), national(text)
        return float(bool(said) and said == true)
    if tag == "EMAIL_ADDRESS":
        return _email(guess, text)
    said, true = plain(guess), plain(text)
    if said and said == true:
        return 1.0
    long_enough = len(said) >= FRAGMENT and len(said) >= FRAGMENT_SHARE * len(true)
    return 0.5 if long_enough and said in true else 0.0


def plain(value):
    """Letters and digits alone, folded; digits of other scripts as 0 to 9."""
    letters = unicodedata.normalize("NFKD", comparison_form(value[:LONGEST]))
    return "".join(str(int(c)) if c.isdecimal() else c for c in letters if c.isalnum())


def national(value):
    """A phone number's digits without country code and trunk prefix; "" where there are none."""
    text = comparison_form(value[:LONGEST])
    text = re.sub(r"\(0\)", "", text)
    digits = "".join(str(int(c)) for c in text if c.isdecimal())
    if text.lstrip("( ").startswith("+"):
        digits = _without_code(digits)
    elif digits.startswith("00"):
        digits = _without_code(digits[2:])
    elif len(digits) == NORTH_AMERICAN and digits.startswith("1"):
        digits = digits[1:]
    return digits.lstrip("0")


def _without_code(digits):
    if digits[:1] in CODES["one"]:
        return digits[1:]
    return digits[2:] if digits[:2] in CODES["two"] else digits[3:]


def _email(guess, text):
    said, true = (comparison_form(value[:LONGEST]).strip("<>. ").removeprefix("mailto:") for value in (guess, text))
    if said == true:
        return 1.0
    local = said.partition("@")[0]
    return 0.5 if local and local == true.partition("@")[0] else 0.0
