"""
Vocabulary of icons and controls, in English and Chinese: spoken terms, and names from icon sets.

The data are text tables in this folder, to be edited by hand (`concepts/*.txt`, `glossary/*.txt`, `confusable.txt`,
`traditional.txt`); each describes its format in its first lines. `concepts_of` maps a phrase to concepts, `english_of` a
Chinese phrase to English terms. Tables are read at the first query.
"""

from handeye.parse.vocabulary.lookup import concept, concepts, concepts_of, english_of, is_term
from handeye.parse.vocabulary.table import Concept

__all__ = ["Concept", "concept", "concepts", "concepts_of", "english_of", "is_term"]
