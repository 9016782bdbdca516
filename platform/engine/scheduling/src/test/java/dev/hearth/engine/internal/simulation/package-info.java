/** The stage scheduler and the task scheduler together, with model executors, on virtual time. */
@NullMarked
package dev.hearth.engine.internal.simulation;

import org.jspecify.annotations.NullMarked;
