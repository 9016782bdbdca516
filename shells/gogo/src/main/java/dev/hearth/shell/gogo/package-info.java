/**
 * The shell. Contains the roles that read command lines, and the runner that executes command lines for other
 * processes. Stability: internal.
 */
@NullMarked
package dev.hearth.shell.gogo;

import org.jspecify.annotations.NullMarked;
