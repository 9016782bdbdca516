/** Brings what happens in an application from the driver's loop to listeners, each at its own pace. */
@NullMarked
package dev.hearth.status.events;

import org.jspecify.annotations.NullMarked;
