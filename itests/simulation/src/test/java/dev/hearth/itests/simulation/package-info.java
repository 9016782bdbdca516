/** Whole clusters on virtual time: the state machines of every module, on the simulated message system. */
@NullMarked
package dev.hearth.itests.simulation;

import org.jspecify.annotations.NullMarked;
