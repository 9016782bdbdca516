/** What scheduling costs. */
@NullMarked
package dev.hearth.engine.internal.record;

import org.jspecify.annotations.NullMarked;
