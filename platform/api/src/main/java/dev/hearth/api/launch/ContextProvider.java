package dev.hearth.api.launch;

import dev.hearth.api.HearthContext;

/** Opens contexts for one application. The engine implements it; the launcher of the application installs it. */
@FunctionalInterface
public interface ContextProvider {
    HearthContext open(ContextRequest request);
}
