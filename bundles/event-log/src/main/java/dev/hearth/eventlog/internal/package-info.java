/** Writes events of applications as lines of JSON. */
@NullMarked
package dev.hearth.eventlog.internal;

import org.jspecify.annotations.NullMarked;
