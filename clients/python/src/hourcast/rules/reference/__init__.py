"""The reference: a question's probabilities by the price alone."""

from .covariance import covariance_of
from .moment import Moment, SoFar
from .reference import reference_at

__all__ = ["Moment", "SoFar", "covariance_of", "reference_at"]
