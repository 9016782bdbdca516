/**
 * Constructs the engine without OSGi components, for processes that embed it without an OSGi framework. This package is
 * not exported.
 */
@NullMarked
package dev.hearth.engine.wiring;

import org.jspecify.annotations.NullMarked;
