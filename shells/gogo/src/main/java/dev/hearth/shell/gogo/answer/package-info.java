/** What commands answer, as text for people and as JSON for programs. Stability: internal. */
@NullMarked
package dev.hearth.shell.gogo.answer;

import org.jspecify.annotations.NullMarked;
