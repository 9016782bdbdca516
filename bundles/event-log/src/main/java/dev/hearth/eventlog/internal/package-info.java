/** Writer of event logs, which record the events of an application as JSON lines. */
@NullMarked
package dev.hearth.eventlog.internal;

import org.jspecify.annotations.NullMarked;
