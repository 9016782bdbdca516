/** The commands of the scope {@code hearth}, one component per subject. Stability: internal. */
@NullMarked
package dev.hearth.shell.gogo.command;

import org.jspecify.annotations.NullMarked;
