package dev.hearth.api.launch;

import dev.hearth.api.HearthContext;

/** Opens contexts for one application; implemented by the engine, installed by whoever launches the application. */
@FunctionalInterface
public interface ContextProvider {
    HearthContext open(ContextRequest request);
}
