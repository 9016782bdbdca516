/** Output of commands, as text and as JSON. Stability: internal. */
@NullMarked
package dev.hearth.shell.gogo.answer;

import org.jspecify.annotations.NullMarked;
