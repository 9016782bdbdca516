/** The event bus, which delivers the events of an application to its listeners. */
@NullMarked
package dev.hearth.status.events;

import org.jspecify.annotations.NullMarked;
