/** Benchmarks of the state machine of the master. */
@NullMarked
package dev.hearth.standalone.internal.master;

import org.jspecify.annotations.NullMarked;
