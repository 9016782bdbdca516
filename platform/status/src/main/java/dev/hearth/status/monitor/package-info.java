/** The monitoring of an application: event bus, status store and listeners, wired together. */
@NullMarked
package dev.hearth.status.monitor;

import org.jspecify.annotations.NullMarked;
