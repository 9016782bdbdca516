/** Blocks between the executors of one application: serving them, and reading them in time, in bounds and in order. */
@NullMarked
package dev.hearth.engine.internal.fetch;

import org.jspecify.annotations.NullMarked;
