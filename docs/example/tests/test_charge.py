"""A card is charged once."""

from shop.charge import charge


def test_a_good_card_is_charged():
    assert charge("4242", 100)
