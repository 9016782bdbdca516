/** Writer of event logs: application events as JSON lines. */
@NullMarked
package dev.hearth.eventlog.internal;

import org.jspecify.annotations.NullMarked;
