/** Commands of the gogo scope {@code hearth}, in one component for each subject. Stability: internal. */
@NullMarked
package dev.hearth.shell.gogo.command;

import org.jspecify.annotations.NullMarked;
