/**
 * End of a driver in cluster mode whose program has called {@code System.exit}. A process does not know its own status,
 * so the seat leaves a note and keeps the application registered. The shell above the driver knows the status; because of
 * the note it starts a process in the role {@code am}, which ends the application with that status.
 */
@NullMarked
package dev.hearth.yarn.internal.exit;

import org.jspecify.annotations.NullMarked;
