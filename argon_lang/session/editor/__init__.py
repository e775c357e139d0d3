"""An editor being served: its open documents over the packages that they belong to, and its questions."""
