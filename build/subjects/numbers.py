"""Numbers and dates as running text has them."""

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def spelled(number):
    """0 to 99 in words."""
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def ordinal(number):
    """ "1st", "42nd", "113th"."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def long_date(date):
    """ "3 May 1974"."""
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"


def full_years(birth, date):
    """The age in full years of one born on `birth`, on `date`."""
    return date.year - birth.year - ((date.month, date.day) < (birth.month, birth.day))


def indefinite(word):
    """ "a" or "an" before a word, by its sound as far as letters tell."""
    low = word.lower()
    if low.startswith(("uni", "use", "uru", "ukr", "uga", "eu", "one")) and not low.startswith("unin"):
        return "a"
    return "an" if low[:1] in "aeiou" or low.startswith(("hour", "honest")) else "a"
