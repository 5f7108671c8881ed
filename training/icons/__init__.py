"""
The icons of the embedded screen parser, from the public icon sets to the weights that ship.

    python -m training.icons.fetch     the icon sets, from npm
    python -m training.icons.render    each icon once, 80x80
    python -m training.icons.crops     the crops a screen would give, made by the product's own `icon_mask`
    python -m training.icons.train     the encoder and the word tower
    python -m training.icons.export    the files of `handeye/parse/weights`
    python -m training.icons.evaluate  the figures, on sets that training never saw

All take `--data DIR` (default `out/training`) and work in `DIR/icons`.
"""
