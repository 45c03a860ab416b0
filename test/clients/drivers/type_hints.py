"""Prints each function, method and class of the package whose type hints cannot be worked out, and how many can."""

import importlib
import inspect
import pkgutil
import typing

import hourcast

modules = [importlib.import_module(one.name) for one in pkgutil.walk_packages(hourcast.__path__, "hourcast.") if "__main__" not in one.name]
own = [(module, value) for module in modules for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
found = 0
for module, value in own:
    for one in [value, *(vars(value).values() if inspect.isclass(value) else ())]:
        if not (inspect.isclass(one) or inspect.isfunction(one)):
            continue
        try:
            typing.get_type_hints(one)
            found += 1
        except Exception as error:
            print(f"{module.__name__}.{one.__qualname__}: {error!r}")
print(found)
