package dev.hearth.api.launch;

import dev.hearth.api.HearthContext;

/**
 * Opens the contexts of one application. The engine implements the provider; the launcher of the application installs
 * it in {@link ContextHolder}.
 */
@FunctionalInterface
public interface ContextProvider {
    HearthContext open(ContextRequest request);
}
