/** The shell for people: roles that read command lines, and the runner that executes them for others. Stability: internal. */
@NullMarked
package dev.hearth.shell.gogo;

import org.jspecify.annotations.NullMarked;
