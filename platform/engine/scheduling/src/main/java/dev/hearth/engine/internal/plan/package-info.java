/** What a stage does, as values that travel: steps, an action, and the captured functions as bytes. */
@NullMarked
package dev.hearth.engine.internal.plan;

import org.jspecify.annotations.NullMarked;
