"""A chart as Vega-Lite, for whoever draws it."""

from typing import Any

import altair as alt


def spec(chart: alt.LayerChart) -> dict[str, Any]:
    """Returns the chart as a Vega-Lite specification, its datasets handed on as they are.

    Altair would copy every value and hold it against the schema, which takes longer than all else
    a page does; that charts keep to the schema is for their tests to see.
    """
    own = {} if chart.datasets is alt.Undefined else chart.datasets
    bare = chart.copy(deep=False)
    bare.datasets = alt.Undefined
    found = bare.to_dict(validate=False)
    # Altair's own idea of a size, which whoever draws the chart knows better.
    for name in ("continuousWidth", "continuousHeight"):
        found["config"]["view"].pop(name, None)
    return found | {"datasets": found.get("datasets", {}) | own}
