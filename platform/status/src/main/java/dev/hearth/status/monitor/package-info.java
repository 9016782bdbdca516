/** The monitoring of an application: creates the event bus, the status store and the listeners, and connects them. */
@NullMarked
package dev.hearth.status.monitor;

import org.jspecify.annotations.NullMarked;
