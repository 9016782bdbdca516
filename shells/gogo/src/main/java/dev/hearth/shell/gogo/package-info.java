/**
 * The shell: roles that read command lines, and the runner that executes them for other processes. Stability: internal.
 */
@NullMarked
package dev.hearth.shell.gogo;

import org.jspecify.annotations.NullMarked;
