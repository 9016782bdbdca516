/** Puts together what shows an application: its event bus, its status, and who else listens. */
@NullMarked
package dev.hearth.status.monitor;

import org.jspecify.annotations.NullMarked;
