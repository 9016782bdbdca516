/** Dynamic allocation of executors: a state machine that decides how many executors to request and which to release. */
@NullMarked
package dev.hearth.engine.internal.allocation;

import org.jspecify.annotations.NullMarked;
