"""Numbers and dates as running text has them."""

from build.subjects import data


def spelled(number):
    """0 to 99 in words."""
    words = data.load("numbers")
    if number < len(words["small"]):
        return words["small"][number]
    tens, ones = divmod(number, 10)
    return words["tens"][tens - 2] + (f"-{words['small'][ones]}" if ones else "")


def ordinal(number):
    """ "1st", "42nd", "113th"."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def long_date(date):
    """ "3 May 1974"."""
    return f"{date.day} {data.load('numbers')['months'][date.month - 1]} {date.year}"


def full_years(birth, date):
    """The age in full years of one born on `birth`, on `date`."""
    return date.year - birth.year - ((date.month, date.day) < (birth.month, birth.day))


def indefinite(word):
    """ "a" or "an" before a word, by its sound as far as letters tell."""
    low = word.lower()
    if low[:1].isdigit():
        return "an" if low.startswith("8") or low in ("11th", "18th") else "a"
    if low.startswith(("uni", "use", "uru", "ukr", "uga", "eu", "one")) and not low.startswith("unin"):
        return "a"
    return "an" if low[:1] in "aeiou" or low.startswith(("hour", "honest")) else "a"
