/** What drivers and executors tell each other. */
@NullMarked
package dev.hearth.engine.internal.protocol;

import org.jspecify.annotations.NullMarked;
