/** Constructs the engine without OSGi components, for processes that embed it without a framework. Not exported. */
@NullMarked
package dev.hearth.engine.wiring;

import org.jspecify.annotations.NullMarked;
