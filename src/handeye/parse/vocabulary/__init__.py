"""
The words of icons and controls: what people say, what icon sets draw, in English and Chinese.

The data are text tables beside the code, made to be edited by hand (`concepts/*.txt`, `glossary/*.txt`, `confusable.txt`,
`traditional.txt`); each says its form in its first lines. `concepts_of` takes a person's phrase to meanings, `english_of`
takes a Chinese phrase to English words. Nothing is read before the first question.
"""

from handeye.parse.vocabulary.lookup import concept, concepts, concepts_of, english_of, is_term
from handeye.parse.vocabulary.table import Concept

__all__ = ["Concept", "concept", "concepts", "concepts_of", "english_of", "is_term"]
