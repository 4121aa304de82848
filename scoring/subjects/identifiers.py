"""Numbers and addresses: identifiers by their letters and digits, phones by national digits, e-mail (METRICS §8)."""

import re

from scoring import schemas
from scoring.subjects.forms import norm, plain
from scoring.text import comparison_form

CODES = schemas.load("calling_codes.json")
FRAGMENT, FRAGMENT_SHARE = 4, 0.4
NORTH_AMERICAN = 11
_INTERNATIONAL = re.compile(r"[^\d+]*(?:\+|00)")
_EXTENSION = re.compile(r"(?<=\d)[\s,;.]*(?:x|ext|extension)\.?\s*\d+\s*$")


def score(tag, guess, text):
    """How far a guess is a true identifier of a tag: 1, .5 or 0."""
    if tag == "PHONE_NUMBER":
        said, true = national(guess), national(text)
        return float(bool(said) and said == true)
    if tag == "EMAIL_ADDRESS":
        return _email(guess, text)
    said, true = alphanumerics(guess), alphanumerics(text)
    if said and said == true:
        return 1.0
    long_enough = len(said) >= FRAGMENT and len(said) >= FRAGMENT_SHARE * len(true)
    return 0.5 if long_enough and said in true else 0.0


def alphanumerics(value):
    """Letters and digits alone, folded; digits of other scripts as 0 to 9."""
    return norm(value).replace(" ", "")


def national(value):
    """A phone number's digits without country code, trunk prefix and extension; "" where there are none."""
    text = _EXTENSION.sub("", plain(value).replace("(0)", ""))
    digits = "".join(c for c in text if c.isdecimal())
    if _INTERNATIONAL.match(text):
        digits = _without_code(digits.removeprefix("00"))
    elif len(digits) == NORTH_AMERICAN and digits.startswith("1"):
        digits = digits[1:]
    return digits.lstrip("0")


def _without_code(digits):
    if digits[:1] in CODES["one"]:
        return digits[1:]
    return digits[2:] if digits[:2] in CODES["two"] else digits[3:]


def address(value):
    """An e-mail address in comparison form, without what encloses it; dots and dashes tell addresses apart."""
    return comparison_form(value).strip("<>. ").removeprefix("mailto:")


def _email(guess, text):
    said, true = address(guess), address(text)
    if said and said == true:
        return 1.0
    local = said.partition("@")[0]
    return 0.5 if local and local == true.partition("@")[0] else 0.0
