/**
 * Remote shell. Contains the endpoint that runs lines of the Hearth shell for other processes, and the client that
 * sends such lines to it.
 */
@NullMarked
package dev.hearth.remoteshell.internal;

import org.jspecify.annotations.NullMarked;
