/** How many executors an application wants while its load changes, and which it can do without. A state machine and its words. */
@NullMarked
package dev.hearth.engine.internal.allocation;

import org.jspecify.annotations.NullMarked;
