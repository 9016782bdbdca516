/** What records cost. */
@NullMarked
package dev.hearth.engine.internal.record;

import org.jspecify.annotations.NullMarked;
