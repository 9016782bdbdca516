/**
 * The Hearth shell. Contains the roles that read lines of the shell, and the runner that executes such lines for other
 * processes. Stability: internal.
 */
@NullMarked
package dev.hearth.shell.gogo;

import org.jspecify.annotations.NullMarked;
