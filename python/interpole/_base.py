"""scikit-learn's base of classifiers, or the least of its manners where it is not installed."""
from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

    class Classifier:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def _check_feature_names(self, X: Any, *, reset: bool) -> None: ...
        def _check_n_features(self, X: Any, reset: bool) -> None: ...
        def _validate_data(self, X: Any, y: Any = ..., **options: Any) -> Any: ...
else:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin

        class Classifier(ClassifierMixin, BaseEstimator):
            pass
    except ImportError:
        class Classifier:
            def get_params(self, deep=True):
                return {name: getattr(self, name) for name in inspect.signature(type(self).__init__).parameters
                        if name != "self"}

            def set_params(self, **params):
                known = self.get_params()
                for name, value in params.items():
                    if name not in known:
                        raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}")
                    setattr(self, name, value)
                return self

            def __repr__(self):
                defaults = inspect.signature(type(self).__init__).parameters
                changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                           if value is not defaults[name].default and value != defaults[name].default]
                return f"{type(self).__name__}({', '.join(changed)})"

            def _check_feature_names(self, X, *, reset):
                pass

            def _check_n_features(self, X, reset):
                pass

            def _validate_data(self, X, y="no_validation", **options):
                import numpy as np
                return np.asarray(X) if isinstance(y, str) else (np.asarray(X), np.asarray(y))


def not_fitted(estimator: object) -> Exception:
    """What to raise where an estimator is asked before it was fitted."""
    words = f"this {type(estimator).__name__} is not fitted yet; call fit first"
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        from ._errors import Error
        return Error(words, "usage")
    found: Exception = NotFittedError(words)
    return found


def check_labels(labels: Any) -> None:
    """Refuses what scikit-learn does not take for classes."""
    try:
        from sklearn.utils.multiclass import check_classification_targets
    except ImportError:
        return
    if labels.dtype.kind != "O":
        check_classification_targets(labels)
