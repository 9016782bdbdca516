/** Commands of the Hearth shell that filter the lines of a pipe. Stability: internal. */
@NullMarked
package dev.hearth.shell.gogo.text;

import org.jspecify.annotations.NullMarked;
