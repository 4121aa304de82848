"""The offline provider: an index of attested persons. It sees only those; its clean verdict says so."""

from build.fold import name_key
from build.validation.providers import SEARCH_TYPES
from build.validation.traces import Trace


class Local:
    """The provider `local`.

    Args:
        index: any object with contains(key) -> bool for a build.fold.name_key, and near(name) -> iterable of the
            nearby full names that the index holds.
        settings: what identifies the index (name, rows, hash); part of the stack hash.
    """

    name = "local"
    is_web = False
    types = SEARCH_TYPES

    def __init__(self, index, settings=None):
        self._index = index
        self.settings = {"name": self.name, "locale": "", **(settings or {})}

    def search(self, query):
        """A bearer of the form as a panel about a person; nearby names, asked once a name, as corrections."""
        same = {"query": query.text, "type": query.type, "provider": self.name}
        if query.type == "unquoted":
            own = name_key(query.form)
            found = sorted(near for near in self._index.near(query.form) if name_key(near) != own)
            return [Trace(**same, correction=near) for near in found]
        if self._index.contains(name_key(query.form)):
            return [Trace(**same, panel={"title": query.form, "type": "person", "description": "attested person"})]
        return []

    def silent(self, queries):
        """Whether a search would find nothing for any of the queries; quicker than asking them one by one."""
        forms = {name_key(query.form) for query in queries}
        return not any(map(self._index.contains, forms)) and not any(
            self._index.near(query.form) for query in queries if query.type == "unquoted"
        )
