"""The query inventory of a name: types in the paper's order, capped, no query twice (PUN, A.4, table 7)."""

from dataclasses import dataclass

from build.validation import variants

PAGE_CONTENT = "page_content"


@dataclass(frozen=True)
class Query:
    """One query: `text` is what a provider is sent, `form` the full-name form in it, `stage` its pass (1 or 2)."""

    name: str
    position: int
    type: str
    text: str
    form: str
    mandatory: bool
    stage: int

    @property
    def quoted(self):
        """Whether the form is searched as a phrase."""
        return self.text.startswith('"')


def inventory(name, rules, types=None):
    """The queries of a name, numbered from 0 in the paper's order.

    Args:
        rules: build.validation.rules.Rules.
        types: the query types that a provider can answer; by default all.

    Raises BuildError for a name that cannot be searched (variants.tokens).
    """
    made, seen, variant_count = [], set(), 0
    for query_type, entry in rules.types.items():
        for form in forms(name, query_type, rules):
            if query_type not in ("exact_quoted", "unquoted", PAGE_CONTENT):
                variant_count += 1
                if variant_count > rules.data["caps"]["total"]:
                    break
            for quoted in entry["quoted"]:
                text = f'"{form}"' if quoted else form
                key = (query_type == PAGE_CONTENT, text)
                if key not in seen and (types is None or query_type in types):
                    seen.add(key)
                    made.append(Query(name, len(made), query_type, text, form, entry["mandatory"], entry["pass"]))
    return made


def forms(name, query_type, rules):
    """The full-name forms that a query type searches, in order; [] where the type does not apply to the name."""
    plain = " ".join(variants.tokens(name))
    if query_type == "reversed":
        return [variants.reversed_order(name)]
    if query_type == "ascii_fold":
        return [variants.ascii_folded(name)] if variants.has_diacritics(name) else []
    if query_type == "vowel_variant":
        return variants.vowel_variants(name, rules)
    if query_type == "phonetic_variant":
        return variants.phonetic_variants(name, rules)
    return [plain]


def mandatory(name, rules, types=None):
    """The queries that must be completed before a name can count as unknown."""
    return [query for query in inventory(name, rules, types) if query.mandatory]
