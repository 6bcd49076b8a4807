"""Products of matrices in parts, as a machine of one thread makes them."""

import numpy as np
import pytest

from adaq_core.ranking.features import products


@pytest.mark.parametrize(("clauses", "terms", "documents"), [(1, 1, 1), (33, 231, 479), (3, 5, 0), (40, 300, 7)])
def test_a_product_in_parts_is_the_product(clauses, terms, documents):
    random = np.random.default_rng(0)
    rows = random.random((clauses, terms), dtype=np.float32)
    columns = random.random((terms, documents), dtype=np.float32)
    made = products(rows, columns)
    assert made.shape == (clauses, documents)
    assert np.allclose(made, rows @ columns)
